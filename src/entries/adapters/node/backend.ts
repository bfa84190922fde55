import { type IncomingMessage, request as requestPlain, type ServerResponse } from 'node:http'
import { request as requestSecure } from 'node:https'
import { pipeline, Transform } from 'node:stream'
import type { Answer } from '../../../engine/http/answer.js'
import { mockErrorAnswer } from '../../../engine/http/answer.js'
import { BrokenConnection } from '../../../engine/http/deliver.js'
import { isPathOfOrigin, rawPath, rawQuery } from '../../../engine/http/routes.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { reasonOf, systemCode } from '../../../support/errors.js'
import { createIds } from '../../../support/ids.js'
import { withoutTrailing } from '../../../support/text.js'
import type { NodeBindings } from './delivery.js'

type Header = [name: string, value: string]

/** What concerns a single connection, and is not passed on. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** What a request says about itself, and this server says in its place. */
const REPLACED = ['host', 'expect', 'x-forwarded-host', 'x-forwarded-proto']

/** An app's own backend, to which requests are passed on as they come, byte for byte. */
export class Backend {
  readonly #url: URL
  /** How this server names itself to the backend, and recognizes itself. */
  readonly #via = `1.1 flagdouble (${createIds().uuid()})`

  constructor(url: URL) {
    this.#url = url
  }

  /** Passes a request on. Rejects with a `BrokenConnection` if the client gives up before there is a response. */
  async ask(url: string, { incoming, outgoing }: NodeBindings): Promise<Answer> {
    try {
      if (incoming.headers.via?.includes(this.#via)) throw new Error('it leads back to this server')
      const response = await this.#send(url, incoming as IncomingMessage, outgoing as ServerResponse)
      return this.#answer(response, new URL(url).origin, outgoing as ServerResponse)
    } catch (error) {
      if (outgoing.destroyed) throw new BrokenConnection(error)
      return mockErrorAnswer(unreachable(error, this.#url))
    }
  }

  get #base(): string {
    return this.#url.origin + withoutTrailing(this.#url.pathname, '/')
  }

  #send(url: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<IncomingMessage> {
    const request = this.#url.protocol === 'https:' ? requestSecure : requestPlain
    const target = this.#base + rawPath(url) + rawQuery(url)
    return new Promise((resolve, reject) => {
      const asked = request(target, { method: incoming.method, agent: false, setHost: false })
      for (const [name, values] of this.#requestHeaders(new URL(url), incoming)) {
        asked.setHeader(name, values.length === 1 ? String(values[0]) : values)
      }
      const body = incoming.pipe(paced())
      asked.once('response', (response: IncomingMessage) => {
        resolve(response)
        // A backend that refuses need not read the rest.
        if (Number(response.statusCode) >= 400) {
          body.unpipe(asked)
          body.resume()
          response.once('close', () => asked.destroy())
        }
      })
      // After the response there may be further errors, such as one of a body that the backend doesn't read.
      asked.on('error', reject)
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) asked.destroy()
      })
      body.pipe(asked)
    })
  }

  #requestHeaders({ host, protocol }: URL, { rawHeaders, headers }: IncomingMessage): Map<string, string[]> {
    const passed = passedOn(rawHeaders).filter(([name]) => !REPLACED.includes(name.toLowerCase()))
    const isChunked = headers['transfer-encoding'] !== undefined
    const added: Header[] = [
      ['host', this.#url.host],
      ['via', this.#via],
      ['x-forwarded-host', headers.host ?? host],
      ['x-forwarded-proto', protocol.slice(0, -1)],
      ...(isChunked ? ([['transfer-encoding', 'chunked']] satisfies Header[]) : []),
    ]
    const all = new Map<string, string[]>()
    for (const [name, value] of [...passed, ...added]) {
      const key = name.toLowerCase()
      all.set(key, [...(all.get(key) ?? []), value])
    }
    return all
  }

  #answer(response: IncomingMessage, origin: string, outgoing: ServerResponse): Answer {
    const { statusCode: status = 502, statusMessage = '', rawHeaders } = response
    const headers = passedOn(rawHeaders).filter(([name]) => isOfBackend(name.toLowerCase(), status))
    const send = (own: Answer['headers']) => {
      const theirs = headers.filter(([name]) => own[name.toLowerCase()] === undefined)
      const all = [...theirs, ...Object.entries(own)].flat()
      outgoing.writeHead(status, isPrintable(statusMessage) ? statusMessage : '', all)
      // A response that breaks off breaks off here, too. Nobody is told twice.
      pipeline(response, outgoing, () => undefined)
    }
    return { status, headers: this.#ownLocation(response, origin), body: null, relayed: { headers, send } }
  }

  /** A redirect to the backend's own address leads to the same place here, and never to another site. */
  #ownLocation({ headers: { location } }: IncomingMessage, origin: string): Record<string, string> {
    if (location === undefined || !`${location}/`.startsWith(`${this.#base}/`)) return {}
    const path = location.slice(this.#base.length) || '/'
    return { location: isPathOfOrigin(path) ? path : origin + path }
  }
}

/**
 * Lets a response be read before more of the body is written. A backend may answer early and close; to write to it then
 * would break the connection with the response unread.
 */
function paced(): Transform {
  return new Transform({ transform: (chunk, _, done) => setImmediate(done, null, chunk) })
}

/** The headers that are passed on, of those in turn: names and values. */
function passedOn(raw: readonly string[]): Header[] {
  const pairs = Array.from({ length: raw.length / 2 }, (_, at): Header => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])
  const named = pairs.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','))
  const dropped = new Set([...HOP_BY_HOP, ...named.map((name) => name.trim().toLowerCase())])
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase()))
}

/** Whether a header may come from a backend. Those that flagdouble marks its own answers with may not. */
function isOfBackend(name: string, status: number): boolean {
  return !name.startsWith('x-mock-') && !(status === 204 && name === 'content-length')
}

function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function unreachable(error: unknown, backend: URL): MockError {
  return new MockError(
    'BACKEND_UNREACHABLE',
    `The backend ${backend.href} did not answer: ${systemCode(error) ?? reasonOf(error)}.`,
    'Start it, or correct the URL of --proxy.',
  )
}
