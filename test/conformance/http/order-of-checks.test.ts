import { expect, it } from 'vitest'
import { type Client, onEveryAdapter, type SendOptions, VIEWER } from '../../support/adapters.js'

/** A request in parts: each fault changes a part of it. */
interface Attempt {
  key: string | null | undefined
  type: string
  project: string
  source: string
  body: unknown
  /** Text in place of the body. */
  text?: string
  padding: string
}

interface Fault {
  status: number
  what: string
  apply(attempt: Attempt): Partial<Attempt>
}

const ofEveryBody: Fault[] = [
  { status: 401, what: 'no key', apply: () => ({ key: null }) },
  { status: 403, what: 'no permission', apply: () => ({ key: VIEWER }) },
  { status: 415, what: 'the wrong content type', apply: () => ({ type: 'text/plain' }) },
  { status: 413, what: 'too large a body', apply: () => ({ padding: ' '.repeat(102_400) }) },
  { status: 400, what: 'a malformed path', apply: () => ({ source: '%ZZ' }) },
  { status: 400, what: 'broken JSON', apply: () => ({ text: '{' }) },
]

const ofClone: Fault[] = [
  ...ofEveryBody,
  { status: 400, what: 'a broken schema', apply: () => ({ body: { name: 'a b' } }) },
  { status: 404, what: 'an unknown project', apply: () => ({ project: 'nowhere' }) },
  { status: 404, what: 'an unknown source', apply: ({ source }) => (source === '%ZZ' ? {} : { source: 'nothing' }) },
  { status: 409, what: 'a taken name', apply: () => ({ body: { name: 'legacy-export' } }) },
  { status: 403, what: 'no permission in an environment', apply: () => ({ key: 'user:limited' }) },
]

const ofUpdate: Fault[] = [
  ...ofEveryBody,
  { status: 400, what: 'a broken schema', apply: () => ({ body: { enabled: 'yes' } }) },
  { status: 400, what: 'nothing to change', apply: () => ({ body: {} }) },
  { status: 404, what: 'an unknown token', apply: ({ source }) => (source === '%ZZ' ? {} : { source: 'nothing' }) },
]

/** Every fault together with each later fault in the order of checks; if both change a part, the first applies. */
function pairs(faults: readonly Fault[]): [string, string, Fault, Fault][] {
  return faults.flatMap((first, i) =>
    faults.slice(i + 1).map((second): [string, string, Fault, Fault] => [first.what, second.what, first, second]),
  )
}

function attemptWith(plain: Attempt, first: Fault, second: Fault): Attempt {
  const later = { ...plain, ...second.apply(plain) }
  return { ...later, ...first.apply(later) }
}

function sendAttempt(client: Client, method: string, path: string, attempt: Attempt) {
  const { key, type, body, text = JSON.stringify(body), padding } = attempt
  const options: SendOptions = { headers: { 'content-type': type }, ...(key === undefined ? {} : { key }) }
  return client.send(method, path, text + padding, options)
}

const clonePlain: Attempt = {
  key: undefined,
  type: 'application/json',
  project: 'default',
  source: 'checkout-redesign',
  body: { name: 'copy' },
  padding: '',
}

onEveryAdapter('the order of checks of cloneFeature', (client) => {
  it.each(pairs(ofClone))(
    'the first of two faults is reported: %s before %s',
    async (_first, _second, first, second) => {
      client.mock.add({
        roles: [{ id: 10, permissions: [{ name: 'CREATE_FEATURE' }] }],
        users: [{ id: 10, rootRole: 10 }],
        apiTokens: [{ secret: 'user:limited', userId: 10 }],
      })
      const attempt = attemptWith(clonePlain, first, second)
      const path = `/api/admin/projects/${attempt.project}/features/${attempt.source}/clone`
      expect((await sendAttempt(client, 'POST', path, attempt)).status).toBe(first.status)
    },
  )
})

onEveryAdapter('the order of checks of updatePublicSignupToken', (client) => {
  it.each(pairs(ofUpdate))('%s before %s', async (_first, _second, first, second) => {
    const attempt = attemptWith({ ...clonePlain, source: 'live-invite', body: { enabled: false } }, first, second)
    const path = `/api/admin/invite-link/tokens/${attempt.source}`
    const { status } = await sendAttempt(client, 'PUT', path, attempt)
    expect(status).toBe(first.status)
    expect(client.mock.signupTokens.get('live-invite')?.enabled).toBe(true)
  })
})
