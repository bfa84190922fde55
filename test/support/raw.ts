import { connect } from 'node:net'

/** A response as received. */
export interface RawAnswer {
  status: number
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
}

export interface RawRequest {
  method?: string
  /** Sent unchanged. */
  target: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** Sends a request to a local server over a bare socket: no client normalizes its path or its headers. */
export async function sendRaw(
  port: number,
  { method = 'GET', target, headers = {}, body = '' }: RawRequest,
): Promise<RawAnswer> {
  const all = { host: `127.0.0.1:${port}`, connection: 'close', ...headers }
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...all, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(port, '127.0.0.1')
  // Not `end`: a server assumes that a client that has stopped sending has left.
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  let text = ''
  for await (const chunk of socket) text += chunk
  return readAnswer(text)
}

function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const pairs = lines.map((line) => {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    return [name.toLowerCase(), value] as const
  })
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(pairs), body: text.slice(end + 4) }
}
