import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A server in front of another that responds to some requests itself. */
export async function inFront(
  url: string,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<{ url: string; paths: string[]; keys: (string | undefined)[] }> {
  const paths: string[] = []
  const keys: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    paths.push(`${request.method} ${request.url}`)
    keys.push(request.headers.authorization)
    if (answer(request, response)) return
    const { authorization = '', 'content-type': type = '' } = request.headers
    const headers = { authorization, 'content-type': type }
    const body = request.method === 'POST' ? await text(request) : null
    const passed = await fetch(url + request.url, { method: request.method ?? 'GET', headers, body })
    response.writeHead(passed.status, { 'content-type': 'application/json' })
    response.end(await passed.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, paths, keys }
}
