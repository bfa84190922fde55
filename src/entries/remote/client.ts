import { createClock, sleep } from '../../support/clock.js'
import { reasonOf, systemCode } from '../../support/errors.js'
import { DEEPEST, isTooDeep } from '../../support/json.js'
import { readAtMost } from '../../support/streams.js'
import { counted, printable, withoutTrailing } from '../../support/text.js'
import { UsageError } from '../files/usage-error.js'

/** What a service answered: its JSON, or undefined where that doesn't matter, because the status says it all. */
export interface RemoteReply {
  status: number
  body: unknown
}

/** The most that is asked of a service in all. */
export interface RemoteLimits {
  requests: number
  /** Of answers, decompressed. */
  bytes: number
  seconds: number
}

export interface ClientOptions {
  /** Where the service is: its root, with its base path if it has one. */
  url: string
  /** The key, as the header Authorization holds it. It is sent to the origin of the URL only. */
  key: string
  signal: AbortSignal
  /** Waits some milliseconds; rejects when the signal is aborted. Default: really waits. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
  /** Is told of each wait that takes some seconds. */
  onWait?: ((seconds: number, path: string) => void) | undefined
  limits?: Partial<RemoteLimits> | undefined
}

/** Attempts at a request that is answered with 429 or 5xx, or not at all, or not to its end. */
const ATTEMPTS = 6

/** Milliseconds before the second attempt; each further one waits twice as long. */
const FIRST_WAIT = 500

/** Milliseconds that a `Retry-After` may ask for. */
const LONGEST_WAIT = 120_000

/** Milliseconds after which a wait is told. */
const NOTICED = 5000

/** Milliseconds after which an attempt is given up, with its body. */
const PATIENCE = 60_000

const MIB = 1024 * 1024

/** Bytes that an answer may have, decompressed. */
const LARGEST_ANSWER = 64 * MIB

const LIMITS: RemoteLimits = { requests: 20_000, bytes: 512 * MIB, seconds: 1800 }

const MOST_REDIRECTS = 5

/** Statuses that may pass: too many requests, and a service or a proxy in trouble. */
const PASSING = [429, 500, 502, 503, 504]

/** An answer that can't be read, however often it is asked for. */
export class BrokenAnswer extends UsageError {
  constructor(path: string, what: string) {
    super(`The answer to ${path} ${what}.`, 'Check the address, and what stands between: a proxy, a login page.')
  }
}

/** Reads from a running service. It sends nothing but GET requests, and the key to nobody else. */
export class ServiceClient {
  /** The root of the service, without a slash at its end. */
  readonly url: string
  readonly #options: ClientOptions
  readonly #limits: RemoteLimits
  readonly #clock = createClock()
  readonly #start = this.#clock.epoch()
  #requests = 0
  #bytes = 0

  constructor(options: ClientOptions) {
    this.url = rootOf(options.url)
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    if (!isHeaderValue(options.key)) {
      throw new UsageError('The key has characters that no header can hold.', 'Copy it again, without line breaks.')
    }
  }

  /** The limit that was reached, in words: nothing more is asked. Undefined while there is room. */
  get exhausted(): string | undefined {
    const { requests, bytes, seconds } = this.#limits
    if (this.#requests >= requests) return counted(requests, 'request')
    if (this.#bytes >= bytes) return `${Math.round(bytes / MIB)} MiB`
    return this.#remaining <= 0 ? counted(seconds, 'second') : undefined
  }

  /** Milliseconds until the last moment. */
  get #remaining(): number {
    return this.#start + this.#limits.seconds * 1000 - this.#clock.epoch()
  }

  /**
   * The answer to a GET. It is asked again, later and later, while the service is busy or in trouble. Undefined if a limit
   * is reached before there is one. Throws a `UsageError` if the service can't be reached, redirects elsewhere, or answers
   * too much or nothing that can be read.
   */
  async get(path: string): Promise<RemoteReply | undefined> {
    for (let attempt = 1; this.exhausted === undefined; attempt++) {
      const isLast = attempt === ATTEMPTS
      const response = await this.#attempt(path, isLast)
      if (response !== undefined && 'body' in response) return response
      await this.#wait(path, response?.retryAfter ?? FIRST_WAIT * 2 ** (attempt - 1))
    }
    return undefined
  }

  /** One attempt, to the end of its body. Without an answer, it is worth trying again. */
  async #attempt(path: string, isLast: boolean): Promise<RemoteReply | { retryAfter: number | undefined } | undefined> {
    const { signal } = this.#options
    let response: Response | undefined
    try {
      response = await this.#follow(`${this.url}${path}`, path)
      const { status, headers } = response
      if (status === 200) return { status, body: await this.#read(response, path) }
      if (!PASSING.includes(status)) return { status, body: await this.#readError(response) }
      await response.body?.cancel()
      return isLast ? { status, body: undefined } : { retryAfter: retryAfter(headers.get('retry-after')) }
    } catch (error) {
      if (signal.aborted || error instanceof UsageError) throw error
      if (this.#remaining <= 0 || (!isLast && !LASTING.includes(codeOf(error) ?? ''))) return undefined
      const why = codeOf(error) ?? reasonOf(error)
      if (response !== undefined) throw new BrokenAnswer(path, `breaks off: ${why}`)
      throw new UsageError(`${this.url} can't be reached: ${why}.`, 'Check the address, and try again.')
    }
  }

  async #wait(path: string, ms: number): Promise<void> {
    if (ms > LONGEST_WAIT) {
      throw new UsageError(
        `The service asks to wait for ${Math.ceil(ms / 1000)} seconds before ${path} is asked again.`,
        'Try again later.',
      )
    }
    const { onWait, signal, wait = sleep } = this.#options
    const able = Math.max(0, Math.min(ms, this.#remaining))
    if (able >= NOTICED) onWait?.(Math.ceil(able / 1000), path)
    await wait(able, signal)
  }

  async #follow(start: string, path: string): Promise<Response> {
    const { key, signal } = this.#options
    const patience = Math.max(1, Math.min(PATIENCE, this.#remaining))
    const ended = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    let url = start
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      this.#requests++
      const response = await fetch(url, {
        headers: { authorization: key, accept: 'application/json' },
        redirect: 'manual',
        signal: ended,
      })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return response
      await response.body?.cancel()
      url = redirected(url, location, path)
    }
    throw new UsageError(`The service redirects ${path} in a circle.`, 'Check the address.')
  }

  async #read(response: Response, path: string): Promise<unknown> {
    const bytes = await this.#bytesOf(response)
    if (bytes === undefined) {
      throw new UsageError(
        `The answer to ${path} is larger than ${LARGEST_ANSWER / MIB} MiB.`,
        'Choose fewer projects with --project, or check the address.',
      )
    }
    const body = parsed(bytes)
    if (body === undefined) throw new BrokenAnswer(path, 'is not JSON')
    if (isTooDeep(body)) throw new BrokenAnswer(path, `is nested more than ${DEEPEST} deep`)
    return body
  }

  /** The JSON of an error, if it is some. */
  async #readError(response: Response): Promise<unknown> {
    const bytes = await this.#bytesOf(response)
    const body = bytes && parsed(bytes)
    return isTooDeep(body) ? undefined : body
  }

  async #bytesOf({ body }: Response): Promise<Uint8Array | undefined> {
    const bytes = body === null ? new Uint8Array() : await readAtMost(body, LARGEST_ANSWER)
    this.#bytes += bytes?.length ?? LARGEST_ANSWER
    if (bytes === undefined) await body?.cancel()
    return bytes
  }
}

/** Where a redirect leads. Throws a `UsageError` if that is nowhere, or somewhere else. */
function redirected(from: string, location: string, path: string): string {
  if (!URL.canParse(location, from)) {
    throw new UsageError(`The service redirects ${path} to ${printable(location)}, which is no address.`, 'Check it.')
  }
  const target = new URL(location, from)
  if (target.origin !== new URL(from).origin) {
    throw new UsageError(
      `The service redirects ${path} to ${target.origin}. The key is not sent there.`,
      `If that is your service, pass its address: ${target.origin}`,
    )
  }
  return target.href
}

/** The root of the service from an address that people copy: of the API, or of a page. */
function rootOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${given}" is not the address of a service.`, 'Pass one such as https://flags.example.com')
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The address holds a password.', 'Pass it without: the key is taken from FLAGDOUBLE_KEY.')
  }
  return url.origin + withoutTrailing(url.pathname.replace(/\/api(\/admin)?\/?$/, ''), '/')
}

function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text)
}

/** Milliseconds that a `Retry-After` asks for: a number of seconds, or a date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - createClock().epoch())
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** Faults of a connection that are the same however often it is tried. */
const LASTING = ['ECONNREFUSED', 'ENOTFOUND', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']

/** The code of what kept `fetch` from getting an answer. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? systemCode(error.cause) : undefined
}
