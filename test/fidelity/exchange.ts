import { once } from 'node:events'
import { type IncomingHttpHeaders, request as open } from 'node:http'

/** A request to Unleash and to the mock. */
export interface FidelityRequest {
  method: string
  path: string
  /**
   * The caller: `admin`, `backendAll` or `frontend` (API tokens), `pat:NAME` (a personal access token), `cookie:NAME` (a
   * login), or `none`.
   */
  actor: string
  headers?: Readonly<Record<string, string>>
  /** A text is sent unchanged, everything else as JSON. */
  body?: unknown
}

/** The compared parts of a response. */
export interface FidelityResponse {
  status: number
  /** Names are in lower case. An entity tag is `true`. */
  headers: Readonly<Record<string, string | true>>
  /** The names of the cookies that it sets. */
  cookies: readonly string[]
  body?: unknown
}

export interface Exchange {
  request: FidelityRequest
  /** The response of Unleash. */
  response: FidelityResponse
}

/** A sequence of requests, with the responses of Unleash. */
export interface Recording {
  title: string
  /** The day of the recording. Requests for this day are sent for today, because Unleash counts metrics by day. */
  recordedOn: string
  exchanges: readonly Exchange[]
}

/** Accepted by both servers from their start. */
export const INIT_TOKENS = {
  admin: '*:*.diff-admin',
  backendAll: '*:development.diff-backend-all',
  frontend: 'default:development.diff-frontend',
  backend: 'default:development.diff-backend',
  backendProduction: '*:production.diff-backend-prod',
  frontendProduction: '*:production.diff-frontend-prod',
} as const

/** The environment variables with which both servers have the tokens. */
export const INIT_VARIABLES = {
  INIT_ADMIN_API_TOKENS: INIT_TOKENS.admin,
  INIT_BACKEND_API_TOKENS: [INIT_TOKENS.backend, INIT_TOKENS.backendAll, INIT_TOKENS.backendProduction].join(','),
  INIT_FRONTEND_API_TOKENS: [INIT_TOKENS.frontend, INIT_TOKENS.frontendProduction].join(','),
}

/** The options with which the mock stands for a new Unleash. */
export const UNLEASH_8 = [
  ...['--profile', 'unleash-8', '--scenario', 'fresh-server'],
  ...['--base-url', 'http://localhost:4242', '--quiet'],
]

const PASSWORD = 'Str0ng-Password-1!'
const ROLES = { editor: 2, viewer: 3 }
const COMPARED_HEADERS = ['content-type', 'location', 'cache-control', 'content-encoding', 'content-disposition']

interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A server, and the cookies and tokens of the users who call it. */
export class Server {
  #cookies: Map<string, string>
  #accessTokens: Map<string, string>

  /** `same` is a server with the same users, from `addUsers`. */
  constructor(
    readonly url: string,
    same?: Server,
  ) {
    this.#cookies = new Map(same === undefined ? [] : same.#cookies)
    this.#accessTokens = new Map(same === undefined ? [] : same.#accessTokens)
  }

  /** Logs the admin in, creates an editor and a viewer, and gives each a personal access token. Returns the IDs of the tokens. */
  async addUsers(): Promise<number[]> {
    const ids = [await this.#logIn('admin', 'unleash4all')]
    for (const [username, rootRole] of Object.entries(ROLES)) {
      const user = { username, name: username.toUpperCase(), email: `${username}@example.com`, password: PASSWORD }
      const body = { ...user, rootRole, sendEmail: false }
      await this.send({ method: 'POST', path: '/api/admin/user-admin', actor: 'admin', body })
      ids.push(await this.#logIn(username, PASSWORD))
    }
    return ids
  }

  async #logIn(username: string, password: string): Promise<number> {
    await this.send({ method: 'POST', path: '/auth/simple/login', actor: 'none', body: { username, password } })
    const body = { description: 'pat', expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
    const { text } = await this.#exchange(
      { method: 'POST', path: '/api/admin/user/tokens', actor: `cookie:${username}` },
      JSON.stringify(body),
    )
    const { id, secret } = JSON.parse(text)
    this.#accessTokens.set(username, secret)
    return id
  }

  /** Sends a request. `translate` replaces the IDs and secrets of Unleash in the path and in the body. */
  async send(request: FidelityRequest, translate = (text: string) => text): Promise<FidelityResponse> {
    const { body, path } = request
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const translated = text === undefined ? undefined : translate(text)
    const answer = await this.#exchange({ ...request, path: translate(path) }, translated)
    const set = answer.headers['set-cookie'] ?? []
    if (path === '/auth/simple/login' && set.length > 0 && translated !== undefined) {
      this.#cookies.set(usernameIn(translated), set.map((cookie) => cookie.split(';')[0]).join('; '))
    }
    return compared(answer)
  }

  async #exchange({ method, path, actor, headers = {} }: FidelityRequest, text?: string): Promise<RawResponse> {
    const bytes = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }
    const type = text === undefined ? {} : { 'content-type': 'application/json' }
    // fetch sends no body with GET, and decompresses responses.
    const outgoing = open(this.url + path, {
      method,
      // A restart of the server ends connections.
      agent: false,
      headers: { ...this.#credentials(actor), ...type, ...bytes, ...headers },
    })
    outgoing.end(text)
    const [response] = await once(outgoing, 'response')
    response.setEncoding('utf8')
    let received = ''
    for await (const chunk of response) received += chunk
    return { status: response.statusCode, headers: response.headers, text: received }
  }

  #credentials(actor: string): Record<string, string> {
    const [kind = '', name = ''] = actor.split(':')
    if (kind === 'none') return {}
    if (kind === 'cookie') return { cookie: this.#cookies.get(name) ?? '' }
    if (kind === 'pat') return { authorization: this.#accessTokens.get(name) ?? '' }
    return { authorization: INIT_TOKENS[kind as keyof typeof INIT_TOKENS] }
  }
}

function usernameIn(body: string): string {
  try {
    return String(JSON.parse(body).username)
  } catch {
    return ''
  }
}

function compared({ status, headers, text }: RawResponse): FidelityResponse {
  const isJson = headers['content-type']?.startsWith('application/json') === true
  const isCompressed = headers['content-encoding'] !== undefined
  const isPage = headers['content-type']?.startsWith('text/html') === true
  const kept = COMPARED_HEADERS.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return {
    status,
    headers: { ...Object.fromEntries(kept), ...(headers.etag === undefined ? {} : { etag: true }) },
    cookies: (headers['set-cookie'] ?? []).map((cookie) => cookie.split('=')[0] ?? ''),
    ...(isCompressed || isPage ? {} : { body: isJson && text !== '' ? JSON.parse(text) : text }),
  }
}
