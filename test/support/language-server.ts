import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './markdown.js'

interface Message {
  id?: number | string
  method?: string
  params?: { items?: unknown[] }
  result?: unknown
}

/** The hover texts of an editor for places in a file, from TypeScript's language server. */
export async function hoverTexts(folder: string, file: string, offsets: readonly number[]): Promise<string[]> {
  const server = startServer(folder)
  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
  await server.ask('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities })
  server.tell('initialized', {})
  const text = readFileSync(file, 'utf8')
  const uri = pathToFileURL(file).href
  server.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } })
  const found: string[] = []
  for (const offset of offsets) {
    const lines = text.slice(0, offset).split('\n')
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
    found.push(JSON.stringify(await server.ask('textDocument/hover', { textDocument: { uri }, position })))
  }
  await server.ask('shutdown')
  server.tell('exit')
  return found
}

function startServer(cwd: string) {
  const { stdin, stdout } = spawn(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '--lsp', '--stdio'],
    {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  const waiting = new Map<unknown, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  let lastId = 0
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const take = ({ id, method, params, result }: Message) => {
    if (method === undefined) waiting.get(id)?.(result)
    // The server requests settings, but has defaults.
    else if (id !== undefined) send({ id, result: params?.items?.map(() => null) ?? null })
  }
  stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
      const length = Number(/Content-Length: (\d+)/i.exec(received.toString('utf8', 0, end))?.[1])
      const rest = end + 4 + length
      if (received.length < rest) return
      take(JSON.parse(received.toString('utf8', end + 4, rest)) as Message)
      received = received.subarray(rest)
    }
  })
  return {
    tell: (method: string, params?: object) => send({ method, params }),
    ask(method: string, params?: object): Promise<unknown> {
      lastId += 1
      const id = lastId
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ id, method, params })
      })
    },
  }
}
