import { afterEach, expect, it, vi } from 'vitest'
import { sessionOf } from '../../src/engine/mock/session.js'
import { createMock, type Mock } from '../../src/index.js'
import { FIXED, onEveryAdapter } from '../support/adapters.js'

const FEATURES = '/api/admin/projects/default/features'
const NAME = 'checkout-redesign'

const records = (mock: Pick<Mock, 'name'>) =>
  sessionOf(mock as Mock)
    .world()
    .data.tables.features.list()

afterEach(() => {
  vi.useRealTimers()
})

onEveryAdapter('a start that worlds share', (client) => {
  const describe = (description: string, headers: Record<string, string>) =>
    client.send('PUT', `${FEATURES}/${NAME}`, { description, type: 'release' }, { headers })
  const described = async (headers: Record<string, string>) =>
    (await client.send('GET', `${FEATURES}/${NAME}`, undefined, { headers })).body.description

  it('a change of one session stays in it, and a reset puts the start back', async () => {
    const [mine, other, late] = ['mine', 'other', 'late'].map((name) => ({ 'x-mock-session': name }))
    const before = await described(other ?? {})
    await describe('changed', mine ?? {})
    expect([await described(mine ?? {}), await described(other ?? {}), await described(late ?? {})]).toEqual([
      'changed',
      before,
      before,
    ])
    await client.send('POST', '/__mock/reset', undefined, { headers: mine ?? {} })
    expect(await described(mine ?? {})).toBe(before)
    await describe('again', mine ?? {})
    await client.send('POST', '/__mock/history/undo', undefined, { headers: mine ?? {} })
    await client.send('POST', '/__mock/history/undo', undefined, { headers: mine ?? {} })
    expect(await described(mine ?? {})).toBe('changed')
    expect(await described(other ?? {})).toBe(before)
  })
})

it('sessions hold the same records until they change them', () => {
  const features = Array.from({ length: 50 }, (_, at) => ({ name: `flag-${at}` }))
  const mock = createMock({ ...FIXED, fixtures: { features } })
  const [one, other] = [mock.session('one'), mock.session('other')]
  for (const [at, record] of records(one).entries()) expect(record).toBe(records(other)[at])
  one.add({ features: [{ name: 'flag-1', description: 'mine' }] })
  expect(other.features.get('flag-1')?.description).toBeNull()
  const differing = records(one).filter((record, at) => record !== records(other)[at])
  expect(differing.map(({ name }) => name)).toEqual(['flag-1'])
  one.reset()
  expect(records(one)).toEqual(records(other))
  expect(records(one).every((record, at) => record === records(other)[at])).toBe(true)
})

it('IDs go on after a shared start as after a loaded one', () => {
  const newId = (seed: number) => {
    const mock = createMock({ ...FIXED, seed, fixtures: { features: [{ name: 'other' }] } })
    mock.enable('new')
    return mock.features.get('new')?.environments[0]?.strategies[0]?.id
  }
  const first = newId(1)
  expect(newId(2)).not.toBe(first)
  expect(newId(1)).toBe(first)
  const mock = createMock({ ...FIXED, seed: 1, fixtures: { features: [{ name: 'other' }] } })
  const ids = new Set(
    ['one', 'two'].map((name) => {
      const session = mock.session(name)
      session.enable('new')
      return session.features.get('new')?.environments[0]?.strategies[0]?.id
    }),
  )
  expect([...ids]).toEqual([first])
})

/** A flag with generated IDs: of a strategy in each of two environments, and of a link. */
const flag = (name: string) => ({
  name,
  environments: ['development', 'production'].map((environment) => ({
    name: environment,
    strategies: [{ name: 'default' }],
  })),
  links: [{ url: 'https://example.com' }],
})

const startedWith = (...fixtures: object[]) => createMock({ now: FIXED.now, fixtures } as never).state()

it('a record has the same IDs at each start, whatever its files contain besides', () => {
  const [mine, ada] = [flag('mine'), { id: 50, username: 'ada', password: 'secret' }]
  const found = ({ features, users }: ReturnType<typeof startedWith>) => [
    features.find(({ name }) => name === 'mine'),
    users.find(({ id }) => id === 50),
  ]
  const first = found(startedWith({ features: [mine], users: [ada] }))
  expect(first).not.toContain(undefined)
  const more = { features: [flag('new'), mine], users: [{ id: 49, username: 'new' }, ada] }
  expect(found(startedWith(more, { features: [flag('later')] }))).toEqual(first)
})

it('no two records of a start have the same ID, even of two fixtures', () => {
  const features = Array.from({ length: 300 }, (_, at) => flag(`flag-${at}`))
  const more = { ...flag('flag-1'), environments: flag('').environments.slice(1) }
  const ids = startedWith({ features }, { features: [more] })
    .features.flatMap(({ environments, links = [] }) => [...environments.map(({ strategies }) => strategies), links])
    .flat()
    .map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(900)
  expect(new Set(ids).size).toBe(ids.length)
})

it('with a running clock, the dates of a start are at most a minute old', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z'), toFake: ['Date'] })
  const mock = createMock({
    fixtures: { signupTokens: [{ secret: 'one', name: 'one', expiresAt: 'now+1h' }] } as never,
  })
  const expiry = (session: Pick<Mock, 'state'>) =>
    session.state().signupTokens.find(({ name }) => name === 'one')?.expiresAt
  expect(expiry(mock)).toBe('2026-11-20T13:00:00.000Z')
  vi.setSystemTime(Date.parse('2026-11-20T12:00:59Z'))
  expect(expiry(mock.session('soon'))).toBe('2026-11-20T13:00:00.000Z')
  vi.setSystemTime(Date.parse('2026-11-20T12:01:00Z'))
  expect(expiry(mock.session('later'))).toBe('2026-11-20T13:01:00.000Z')
  mock.reset()
  expect(expiry(mock)).toBe('2026-11-20T13:01:00.000Z')
  vi.setSystemTime(Date.parse('2026-11-20T11:00:00Z'))
  mock.reset()
  expect(expiry(mock)).toBe('2026-11-20T12:00:00.000Z')
})
