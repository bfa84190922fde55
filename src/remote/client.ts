import { UsageError } from '../files/usage-error.js'
import { createClock, sleep } from '../support/clock.js'
import { reasonOf, systemCode } from '../support/errors.js'
import { readAtMost } from '../support/streams.js'
import { withoutTrailing } from '../support/text.js'

/** What a service answered: its JSON, or undefined if the body is none. */
export interface RemoteReply {
  status: number
  body: unknown
}

export interface ClientOptions {
  /** Where the service is: its root, with its base path if it has one. */
  url: string
  /** The key, as the header Authorization holds it. It is sent to the origin of the URL only. */
  key: string
  signal: AbortSignal
  /** Waits some milliseconds; rejects when the signal is aborted. Default: really waits. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
}

/** Attempts at a request that is answered with 429 or 5xx, or not at all. */
const ATTEMPTS = 6

/** Milliseconds before the second attempt; each further one waits twice as long. */
const FIRST_WAIT = 500

/** Milliseconds that a `Retry-After` may ask for. */
const LONGEST_WAIT = 120_000

/** Milliseconds after which a request counts as unanswered. */
const PATIENCE = 60_000

/** Bytes that an answer may have, decompressed. */
const LARGEST_ANSWER = 64 * 1024 * 1024

const MOST_REDIRECTS = 5

/** Statuses that may pass: too many requests, and a service or a proxy in trouble. */
const PASSING = [429, 500, 502, 503, 504]

/** Reads from a running service. It sends nothing but GET requests, and the key to nobody else. */
export class ServiceClient {
  /** The root of the service, without a slash at its end. */
  readonly url: string
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.url = rootOf(options.url)
    this.#options = options
    if (!isHeaderValue(options.key)) {
      throw new UsageError('The key has characters that no header can hold.', 'Copy it again, without line breaks.')
    }
  }

  /**
   * The answer to a GET. It is asked again, later and later, while the service is busy or in trouble. Throws a `UsageError`
   * if the service can't be reached, redirects elsewhere or answers too much.
   */
  async get(path: string): Promise<RemoteReply> {
    const { signal, wait = sleep } = this.#options
    for (let attempt = 1; ; attempt++) {
      const response = await this.#ask(path, attempt)
      if (response !== undefined && (attempt === ATTEMPTS || !PASSING.includes(response.status))) {
        return { status: response.status, body: await readJson(response, path) }
      }
      const asked = response && retryAfter(response.headers.get('retry-after'))
      await response?.body?.cancel()
      if (asked !== undefined && asked > LONGEST_WAIT) {
        throw new UsageError(
          `The service asks to wait for ${Math.ceil(asked / 1000)} seconds before ${path} is asked again.`,
          'Try again later.',
        )
      }
      await wait(asked ?? FIRST_WAIT * 2 ** (attempt - 1), signal)
    }
  }

  /** The response; undefined if there is none and it is worth trying again. */
  async #ask(path: string, attempt: number): Promise<Response | undefined> {
    const { signal } = this.#options
    try {
      return await this.#follow(`${this.url}${path}`, path)
    } catch (error) {
      if (signal.aborted || error instanceof UsageError) throw error
      if (attempt < ATTEMPTS && !LASTING.includes(codeOf(error) ?? '')) return undefined
      throw new UsageError(
        `${this.url} can't be reached: ${codeOf(error) ?? reasonOf(error)}.`,
        'Check the address, and try again.',
      )
    }
  }

  async #follow(start: string, path: string): Promise<Response> {
    const { key, signal } = this.#options
    let url = start
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const response = await fetch(url, {
        headers: { authorization: key, accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
      })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return response
      await response.body?.cancel()
      const target = new URL(location, url)
      if (target.origin !== new URL(url).origin) {
        throw new UsageError(
          `The service redirects ${path} to ${target.origin}. The key is not sent there.`,
          `If that is your service, pass its address: ${target.origin}`,
        )
      }
      url = target.href
    }
    throw new UsageError(`The service redirects ${path} in a circle.`, 'Check the address.')
  }
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

async function readJson(response: Response, path: string): Promise<unknown> {
  const { body } = response
  const bytes = body === null ? new Uint8Array() : await readAtMost(body, LARGEST_ANSWER)
  if (bytes === undefined) {
    await body?.cancel()
    throw new UsageError(
      `The answer to ${path} is larger than ${LARGEST_ANSWER / 1024 / 1024} MiB.`,
      'Choose fewer projects with --project, or check the address.',
    )
  }
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
