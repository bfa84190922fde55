import { readAtMost } from '../../engine/http/body.js'
import { reasonOf, systemCode } from '../../support/errors.js'
import { printable, withoutTrailing } from '../../support/text.js'
import { UsageError } from '../files/usage-error.js'

/** The maximum size of a response in bytes, decompressed. */
const LARGEST_RESPONSE = 64 * 1024 * 1024

const PROXY_HINT = 'Check the URL, and whether a proxy or a login page responds in its place.'

/** Sends requests to a running Unleash. It sends the API token only to the given origin, and no message contains it. */
export class ServiceClient {
  /** The root URL of the instance, without a trailing slash. */
  readonly url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.url = rootOf(url)
    this.#key = key
    if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(key)) {
      throw new UsageError(
        "The API token contains characters that a header can't contain.",
        'Copy it again, without line breaks.',
      )
    }
  }

  /** The JSON response to a GET, or to a POST if a body is given. Throws a `UsageError` for any other response. */
  async ask(path: string, body?: object): Promise<unknown> {
    const response = await this.#fetch(path, body)
    const { status, headers } = response
    if (status !== 200) {
      await response.body?.cancel()
      const target = headers.get('location')
      const where = target === null ? '' : ` and redirects to ${target}, which isn't sent the API token`
      throw this.#failure(path, `responded ${status}${where}`, hintFor(status))
    }
    const bytes = await this.#bytesOf(response, path)
    try {
      return JSON.parse(new TextDecoder().decode(bytes)) as unknown
    } catch {
      throw this.#failure(path, `responded ${status} with a body that isn't JSON`, PROXY_HINT)
    }
  }

  async #fetch(path: string, body?: object): Promise<Response> {
    const headers = { authorization: this.#key, accept: 'application/json' }
    const sent = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    try {
      return await fetch(this.url + path, { redirect: 'manual', ...(body === undefined ? { headers } : sent) })
    } catch (error) {
      throw this.#failure(path, `did not respond: ${reason(error)}`, 'Check the URL, and try again.')
    }
  }

  async #bytesOf({ status, body }: Response, path: string): Promise<Uint8Array> {
    const bytes = await readAtMost(body ?? new Blob().stream(), LARGEST_RESPONSE).catch((error: unknown) => {
      throw this.#failure(path, `responded ${status}, and its body breaks off: ${reason(error)}`, PROXY_HINT)
    })
    if (bytes !== undefined) return bytes
    await body?.cancel()
    const problem = `responded ${status} with more than 64 MiB`
    throw this.#failure(path, problem, 'Choose fewer projects or environments with --project and --environment.')
  }

  #failure(path: string, problem: string, hint: string): UsageError {
    return new UsageError(printable(`${this.url}${path} ${problem}.`), hint)
  }
}

function reason(error: unknown): string {
  const { cause = error } = error as Error
  const code = systemCode(cause)
  return code === undefined || code.startsWith('UND_') ? reasonOf(cause) : code
}

function hintFor(status: number): string {
  if (status < 400) return 'If that is your instance, pass its URL.'
  if (status === 401 || status === 403) {
    return "Use a personal access token of an Admin or an admin API token. API tokens of SDKs can't read settings."
  }
  if (status === 400 || status === 404) {
    return 'Check the URL. If it is correct, this version of Unleash is too old for pull.'
  }
  return 'The instance is overloaded or failing. Try again later.'
}

/** The root URL from a URL that users copy: of the API, or of a page. Throws a `UsageError` for any other text. */
export function rootOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `"${given}" is not the URL of an Unleash instance.`,
      'Pass a URL such as https://flags.example.com',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The URL contains a password.', 'Remove the password, and set FLAGDOUBLE_KEY to an API token.')
  }
  return url.origin + withoutTrailing(url.pathname.replace(/\/api(\/admin)?\/?$/, ''), '/')
}
