import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An app's own backend, which records its requests. */
export interface Backend {
  url: string
  asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
  close(): Promise<void>
}

/** Starts a backend, which stops at the end of the test. By default, it echoes the body. */
export async function startBackend(answer: RequestListener = echo): Promise<Backend> {
  const asked: Backend['asked'] = []
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
}

const echo: RequestListener = (request, response) => {
  response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain')
  request.pipe(response)
}
