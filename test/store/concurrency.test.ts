import { expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { type Answer, FIXED, onEveryAdapter } from '../support/adapters.js'
import { RUNS } from '../support/runs.js'

const clone = '/api/admin/projects/default/features/checkout-redesign/clone'
const update = '/api/admin/invite-link/tokens/live-invite'

function count(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const COUNT = 40 * RUNS

onEveryAdapter('hundreds of requests at once', (client) => {
  const all = (send: (i: number) => Promise<Answer>) => Promise.all(Array.from({ length: COUNT }, (_, i) => send(i)))

  it('to clone to one name: one succeeds, the others are rejected', async () => {
    const answers = await all(() => client.send('POST', clone, { name: 'copy' }))
    expect(count(answers)).toEqual({ 200: 1, 409: COUNT - 1 })
    expect(client.mock.events.list({ type: 'feature-created' })).toHaveLength(1)
    expect(client.mock.features.list({ project: 'default' })).toHaveLength(4)
  })

  it('to update one token: none is lost, and the last one wins', async () => {
    const answers = await all((i) => {
      const expiresAt = new Date(Date.UTC(2027, 0, 1) + i * 1000).toISOString()
      return client.send('PUT', update, i % 2 === 0 ? { expiresAt } : { enabled: i % 4 === 1 })
    })
    expect(count(answers)).toEqual({ 200: COUNT })
    const events = client.mock.events.list({ type: 'public-signup-token-updated' })
    expect(events).toHaveLength(COUNT)
    const replayed = events.reduce((token, { data }) => Object.assign(token, data), {})
    expect(client.mock.signupTokens.get('live-invite')).toMatchObject(replayed)
  })
})

it('signs up a hundred users by one token at once, each with a unique ID', async () => {
  const mock = createMock(FIXED)
  const signUp = (i: number) =>
    mock.fetch(
      new Request('http://localhost/invite/live-invite/signup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `User ${i}`, email: `user${i}@example.com`, password: '' }),
      }),
    )
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => signUp(i)))
  expect(answers.every(({ status }) => status === 201)).toBe(true)
  const ids = mock.users.list().map(({ id }) => id)
  expect(new Set(ids).size).toBe(103)
  expect(mock.signupTokens.get('live-invite')?.users.map(({ id }) => id)).toEqual([3, ...ids.slice(3)])
})

it('never shows half a write', async () => {
  const mock = createMock(FIXED)
  const send = (path: string, body: unknown) =>
    mock.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: '*:*.mock-admin' },
        body: JSON.stringify(body),
      }),
    )
  let pending = 2
  const done = () => {
    pending--
  }
  const ada = { name: 'Ada', email: 'ada@example.com', password: '' }
  const writes = [send(clone, { name: 'copy' }).then(done), send('/invite/live-invite/signup', ada).then(done)]
  const seen = new Set<string>()
  while (pending > 0) {
    await Promise.resolve()
    const { features, events, users, signupTokens } = mock.state()
    const clonedAndLogged = [
      features.some(({ name }) => name === 'copy'),
      events.filter(({ featureName }) => featureName === 'copy').length,
    ]
    const signedUpAndListed = [
      users.some(({ id }) => id === 4),
      signupTokens.some((token) => token.users.some(({ id }) => id === 4)),
      events.filter(({ createdByUserId }) => createdByUserId === -1337).length,
    ]
    seen.add(JSON.stringify({ clonedAndLogged }))
    seen.add(JSON.stringify({ signedUpAndListed }))
  }
  await Promise.all(writes)
  expect([...seen].toSorted()).toEqual([
    '{"clonedAndLogged":[false,0]}',
    '{"clonedAndLogged":[true,4]}',
    '{"signedUpAndListed":[false,false,0]}',
    '{"signedUpAndListed":[true,true,2]}',
  ])
})
