// A file without flagdouble keeps its network, whatever other files did in the same worker.
import { createServer } from 'node:http'
import { expect, test } from 'vitest'

test('the network is there', async () => {
  const server = createServer((_, response) => response.end('from the network'))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`)
  expect(await response.text()).toBe('from the network')
  server.close()
})
