// One call through msw: to the mock's handlers, and to a constant handler.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createMock } from '../../dist/index.js'
import { createHandlers } from '../../dist/msw.js'
import { AUTHORIZATION, fixed, median, table } from '../lib.js'

const path = 'https://flags.example.com/api/admin/invite-link/tokens/live-invite'
const calls = 400

async function microseconds(handlers) {
  const server = setupServer(...handlers)
  server.listen()
  const started = performance.now()
  for (let call = 0; call < calls; call++) {
    const response = await fetch(path, {
      method: 'PUT',
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      body: '{"enabled":true}',
    })
    await response.json()
  }
  const each = ((performance.now() - started) / calls) * 1000
  server.close()
  return each
}

const mock = createMock()
const token = mock.signupTokens.get('live-invite')
const constant = [http.put('*/api/admin/invite-link/tokens/:token', () => HttpResponse.json(token))]
const pairs = []
for (let round = 0; round < 9; round++) {
  pairs.push([await microseconds(createHandlers(mock)), await microseconds(constant)])
}
table(
  'One call by msw, microseconds',
  ['', 'median'],
  [
    ["flagdouble's handlers", fixed(median(pairs.map(([a]) => a)), 0)],
    ['a constant handler', fixed(median(pairs.map(([, b]) => b)), 0)],
    ['ratio', fixed(median(pairs.map(([a, b]) => a / b)))],
  ],
)
