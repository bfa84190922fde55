import { describe, expect, it } from 'vitest'
import { RequestLog } from '../../src/entries/cli/log.js'
import { createMock, type Mock, type MockOptions, type PartialState } from '../../src/index.js'
import { paramNames } from '../../src/service/contract/operation.js'
import type { ProfileName } from '../../src/service/contract/profile.js'
import { profiles } from '../../src/service/contract/profiles.js'
import { secretFields } from '../../src/service/contract/secrets.js'
import { ADMIN, CLIENT, FIXED, onEveryAdapter } from '../support/adapters.js'
import { readEvents } from '../support/events.js'
import { rows } from '../support/requests.js'
import { someOf } from '../support/runs.js'
import { signIn } from '../support/sign-in.js'

/** Sent wherever a secret can be. Errors can quote it in part, so the tests search for three of its letters. */
const MARK = 'zqxzqxzqxzqx'
const PART_OF_MARK = /zqx|qxz/i

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

type Row = (typeof rows)[number]
type Sent = [method: string, path: string, init: RequestInit]

/** All readable output of a mock after the requests. */
class Reader {
  readonly mock: Mock
  #read = ''
  readonly #log = new RequestLog({ write: (text: string) => (this.#read += text) })

  constructor(options: MockOptions) {
    this.mock = createMock({ ...FIXED, journalSize: 500, ...options })
    this.mock.onRequest((entry, session) => {
      this.#log.add(entry, session)
      this.#read += JSON.stringify(entry)
    })
  }

  async send(...[method, path, init]: Sent): Promise<void> {
    const authorization = { authorization: ADMIN, ...(init.headers as Record<string, string>) }
    await this.mock.fetch(new Request(`http://localhost${path}`, { ...init, method, headers: authorization }))
  }

  async all(): Promise<string> {
    this.#log.flush()
    this.#read += JSON.stringify(this.mock.requests.all()) + JSON.stringify(this.mock.requests.unmatched())
    for (const call of ['requests', 'state', 'sessions', 'keys', 'forced', 'operations', '']) {
      const response = await this.mock.fetch(new Request(`http://localhost/__mock/${call}`))
      this.#read += await response.text()
    }
    this.#read += await this.#streamed()
    return this.#read
  }

  async #streamed(): Promise<string> {
    const last = this.mock.requests.all().at(-1)?.id ?? 0
    const abort = new AbortController()
    const headers = { 'last-event-id': String(last - 100) }
    const response = await this.mock.fetch(
      new Request('http://localhost/__mock/events', { headers, signal: abort.signal }),
    )
    let text = ''
    for await (const event of readEvents(response)) {
      text += JSON.stringify(event)
      if (event.id === String(last)) break
    }
    abort.abort()
    return text
  }
}

function pathOf({ path, secretParams = [] }: Row): string {
  return paramNames(path).reduce(
    (filled, name) => filled.replace(`:${name}`, secretParams.includes(name) ? MARK : 'default'),
    path,
  )
}

/** The names of the secret fields of a row's body. */
function namesFor({ body }: Row): readonly string[] {
  return body === undefined ? [] : secretFields(body)
}

function bodiesOf(row: Row): [type: string, body: string][] {
  const names = namesFor(row)
  const each = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
  const wellFormed = [
    each(MARK),
    { username: 'admin', name: 'Ada', email: 'ada@example.com', ...each(MARK) },
    each({ inner: MARK }),
    [each([MARK])],
  ].map((value) => JSON.stringify(value))
  // A body that isn't JSON has no fields, so it is hidden if an operation takes secrets.
  const malformed = names.flatMap((name) => [`{"${name}": ${MARK}}`, `{"${name}":"${MARK}`])
  const forms = names.flatMap((name) => [`a=1&${name}=${MARK}&b=2`, `${name.replace('p', '%70')}=${MARK}`])
  return [
    ...[...wellFormed, ...malformed, ...forms].map((text): [string, string] => [JSON_TYPE, text]),
    ...forms.map((text): [string, string] => [FORM_TYPE, text]),
  ]
}

function queriesOf({ query }: Row): string[] {
  const names = query === undefined ? [] : secretFields(query)
  return names.map((name) => `?a=1&${name.replace('o', '%6F')}=${MARK}&${name}=%7a${MARK}`)
}

function requestsFor(row: Row): Sent[] {
  const path = pathOf(row)
  const keys = { authorization: `Bearer ${MARK}`, cookie: `unleash-session=${MARK}; other=${MARK}` }
  const methods = [...new Set([row.method, 'PATCH'])]
  const bodies = namesFor(row).length === 0 ? [] : bodiesOf(row)
  return [
    ...methods.map((method): Sent => [method, path, { headers: keys }]),
    ...(row.secretParams === undefined ? [] : misspelled(path).map((other): Sent => [row.method, other, {}])),
    ...queriesOf(row).map((query): Sent => [row.method, path + query, {}]),
    ...bodies.map(([type, body]): Sent => [row.method, path, { body, headers: { 'content-type': type } }]),
  ]
}

/** Paths to the same place that still contain a secret. */
function misspelled(path: string): string[] {
  return [path.replaceAll('/', '//'), path.toUpperCase(), `${path}/`, path.replace(MARK, `%E0%A4%A${MARK}`)]
}

describe.each(Object.keys(profiles) as ProfileName[])('the profile %s', (profile) => {
  it('no operation leaves a secret in the journal, the log, the event stream, the state or the panel', async () => {
    const reader = new Reader({ profile })
    for (const row of someOf(rows)) for (const request of requestsFor(row)) await reader.send(...request)
    // The hash of a body can have any letters.
    const read = (await reader.all()).replaceAll(/W\/\\*"[^"\\]*/g, '')
    const found = PART_OF_MARK.exec(read)
    expect(found === null ? 'nothing' : read.slice(Math.max(0, found.index - 400), found.index + 100)).toBe('nothing')
    expect(read).toContain('[redacted]')
  }, 60_000)
})

it.each([
  ['Authorization', `Bearer ${MARK}`],
  ['cookie', `unleash-session=${MARK}; theme=dark`],
  ['X-Auth-Token', MARK],
  ['referer', `http://localhost:5173/invite?token=${MARK}`],
])('a secret in the header %s is not shown: %s', async (name, value) => {
  const reader = new Reader({})
  await reader.send('GET', '/api/admin/projects', { headers: { [name]: value, accept: 'text/x-mark' } })
  const read = await reader.all()
  expect(read).toContain('"accept":"text/x-mark"')
  expect(read).toContain(`"${name.toLowerCase()}":`)
  expect(read).not.toMatch(PART_OF_MARK)
})

it('a path that only another method has is also shown without its secret', async () => {
  const reader = new Reader({})
  await reader.send('PATCH', `/api/admin/api-tokens/${MARK}`, {})
  expect(reader.mock.requests.all()[0]?.path).toBe('/api/admin/api-tokens/[redacted]')
  expect(await reader.all()).not.toMatch(PART_OF_MARK)
})

onEveryAdapter('secrets in a response', (client) => {
  it('new API tokens, links and logins are in the response, and nowhere else', async () => {
    const project = '/api/admin/projects/default/api-tokens'
    const token = { type: 'client', tokenName: 'a', environment: 'development' }
    const ada = { email: 'ada@example.com', rootRole: 1 }
    const { cookie } = await signIn(client, 'admin')
    const pat = { description: 'mine', expiresAt: '2027-01-31T10:00:00.000Z' }
    const given = [
      cookie.split('=')[1],
      (await client.send('POST', '/api/admin/api-tokens', token)).body.secret,
      (await client.send('POST', project, token)).body.secret,
      (await client.send('POST', '/api/admin/user/tokens', pat, { key: null, headers: { cookie } })).body.secret,
      (await client.send('POST', '/api/admin/user-admin', ada)).body.inviteLink.split('=')[1],
      (
        await client.send('POST', '/api/admin/user-admin/reset-password', { id: 'ada@example.com' })
      ).body.resetPasswordUrl.split('=')[1],
    ]
    await client.send('GET', '/api/admin/api-tokens')
    await client.send('GET', `/auth/reset/validate?token=${given.at(-1)}`, undefined, { key: null })
    await client.send('DELETE', `/api/admin/api-tokens/${given[1]}`)
    await client.send('GET', '/api/admin/projects', undefined, { key: given[1] })
    await client.send('GET', '/api/admin/user', undefined, { key: null, headers: { cookie } })
    const { body } = await client.send('GET', '/__mock/requests')
    const { body: moments } = await client.send('GET', '/__mock/history')
    expect(moments.length).toBeGreaterThan(6)
    const changes = await Promise.all(
      moments.slice(1).map(async ({ id }: { id: number }) => (await client.send('GET', `/__mock/history/${id}`)).body),
    )
    expect(JSON.stringify(changes)).toContain('"tokenName":"a"')
    const journal = JSON.stringify([body, moments, changes, client.mock.requests.all()])
    for (const secret of given) {
      expect(secret).toMatch(/./)
      expect(journal).not.toContain(secret)
    }
    expect(body.at(-3).path).toBe('/api/admin/api-tokens/[redacted]')
    expect(body.at(-4).path).toBe('/auth/reset/validate?token=[redacted]')
  })

  it.each(['token', 'TOKEN', 'Token', 't%4Fken'])(
    'a secret in the query is hidden in any letter case: %s',
    async (name) => {
      await client.send('GET', `/auth/reset/validate?${name}=${MARK}`)
      expect(client.mock.requests.all().at(-1)?.path).toBe(`/auth/reset/validate?${name}=[redacted]`)
    },
  )

  it.each([
    ['GET', 'validate', 'validatePublicSignupToken'],
    ['POST', 'signup', 'addPublicSignupTokenUser'],
    ['DELETE', 'signup', null],
  ])('the path of a link to sign up hides its token: %s %s', async (method, action, operation) => {
    await client.send(method, `/invite/${MARK}/${action}`, method === 'POST' ? {} : undefined)
    const entry = client.mock.requests.all().at(-1)
    expect([entry?.operation, entry?.path]).toEqual([operation, `/invite/[redacted]/${action}`])
    expect(JSON.stringify(entry)).not.toMatch(PART_OF_MARK)
  })

  it('headers whose names call them secret are hidden, and no others', async () => {
    const secret =
      'x-forwarded-authorization private-token x-amz-security-token x-gitlab-token x-csrf-token unleash-secret x-api-key x-goog-apikey x-user-password x-original-uri x-original-url x-session-id'
    const shown = 'x-token-count unleash-appname x-request-id user-agent'
    const names = (list: string) => list.split(' ')
    const headers = Object.fromEntries(names(`${secret} ${shown}`).map((name) => [name, MARK]))
    await client.send('GET', '/api/admin/projects', undefined, { headers })
    const sent = client.mock.requests.all().at(-1)?.requestHeaders ?? {}
    expect(names(secret).filter((name) => sent[name] !== '[redacted]')).toEqual([])
    expect(names(shown).filter((name) => sent[name] !== MARK)).toEqual([])
  })

  it('the header shows API tokens of seed data, and hides those that a request created', async () => {
    client.mock.add({ apiTokens: [{ secret: 'user:added', userId: 2 }] })
    const made = { type: 'client', tokenName: 'made', environment: 'development' }
    const { body: token } = await client.send('POST', '/api/admin/api-tokens', made)
    const keys = [ADMIN, CLIENT, `Bearer ${ADMIN}`, 'user:added', token.secret, 'user:nobody']
    for (const key of keys) await client.send('GET', '/api/admin/projects', undefined, { key })
    const shown = client.mock.requests.find({ operation: 'getProjects' })
    expect(shown.map(({ requestHeaders }) => requestHeaders.authorization)).toEqual([
      ...keys.slice(0, 4),
      '[redacted]',
      '[redacted]',
    ])
    expect(shown.map(({ caller }) => caller)).toEqual([
      'mock-admin',
      'mock-client',
      'mock-admin',
      'Editor',
      'made',
      null,
    ])
    const countWith = (key: string) => client.mock.requests.count({ operation: 'getProjects', key })
    expect([ADMIN, 'user:added', token.secret, 'user:other'].map(countWith)).toEqual([2, 1, 1, 0])
    expect(client.mock.requests.find({ caller: 'made' })).toHaveLength(1)
    client.mock.restore(client.mock.state())
    await client.send('GET', '/api/admin/projects', undefined, { key: token.secret })
    expect(client.mock.requests.all().at(-1)?.requestHeaders.authorization).toBe('[redacted]')
  })

  it('the secret of a signup token is a part of its link, and is shown', async () => {
    await client.send('GET', '/api/admin/invite-link/tokens/live-invite')
    const [entry] = client.mock.requests.all()
    expect(entry).toMatchObject({
      path: '/api/admin/invite-link/tokens/live-invite',
      responseBody: { secret: 'live-invite' },
    })
  })

  it.each([
    ['a bare string', MARK],
    ['a mistyped name besides the right one', { username: 'admin', password: 'flagdouble', pass: MARK }],
    ['an object in place of a text', { username: { name: MARK }, password: 'x' }],
    ['text that is no JSON', `{ username: ${MARK}`],
  ])("a body that doesn't match an operation with secrets is neither shown nor quoted: %s", async (_, sent) => {
    const lines: string[] = []
    const log = new RequestLog({ write: (text: string) => lines.push(text) })
    client.mock.onRequest((entry, session) => log.add(entry, session))
    const bodies = [typeof sent === 'string' && sent !== MARK ? sent : JSON.stringify(sent)]
    for (const path of ['/auth/simple/login', '/auth/reset/password', '/invite/live-invite/signup']) {
      for (const text of bodies) {
        const { status, body } = await client.send('POST', path, text)
        expect(status).toBe(400)
        expect(JSON.stringify(body)).not.toMatch(PART_OF_MARK)
      }
    }
    log.flush()
    const journal = client.mock.requests.all()
    expect(journal.map(({ requestBody }) => requestBody)).toEqual(['[redacted]', '[redacted]', '[redacted]'])
    expect(JSON.stringify(journal) + lines.join('')).not.toMatch(PART_OF_MARK)
  })

  it("the text of a user interface's error is hidden, because it can quote an API token", async () => {
    const body = { errorMessage: `fetch with ${MARK} failed`, errorStack: `at *:*.${MARK}` }
    expect((await client.send('POST', '/api/admin/record-ui-error', body)).status).toBe(204)
    expect(client.mock.requests.all()[0]?.requestBody).toEqual({
      errorMessage: '[redacted]',
      errorStack: '[redacted]',
    })
  })
})

it.each<PartialState>([
  { apiTokens: [{ secret: MARK }, { secret: MARK }] },
  { apiTokens: { [MARK]: { userId: 99 } } },
  { apiTokens: [MARK as never] },
  { users: [{ id: 1, password: [MARK] as never }] },
  { addons: [{ id: 1, parameters: { url: [MARK] as never } }] },
])('no error about seed data quotes a secret: %j', (fixtures) => {
  expect(() => createMock({ fixtures })).toThrow(/^(?!.*zqx).*can't be loaded: \$\.(apiTokens|users|addons)/)
})
