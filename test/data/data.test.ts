import { Query } from '@msw/data'
import { beforeEach, describe, expect, it } from 'vitest'
import { SessionData } from '../../src/engine/data/data.js'
import { type MockData, relations } from '../../src/engine/data/relations.js'
import { tables } from '../../src/service/resources/tables.js'
import { EVENTS_KEPT } from '../../src/service/store/collection.js'
import { FakeSession, sample } from './world.js'

let session: FakeSession
let data: MockData
let update: () => Promise<MockData>
beforeEach(async () => {
  session = new FakeSession(sample)
  const { current } = session
  const ofAllSessions = new SessionData()
  update = () => ofAllSessions.collections(session, current)
  data = await update()
})

const names = (found: readonly { name: string | null }[]) => found.map(({ name }) => name)

function found<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error('Nothing was found.')
  return item
}

const featureNamed = (name: string) => found(data.features.findFirst((q) => q.where({ name })))

function removeFeatures(...keys: string[]): void {
  session.write(({ features }) => {
    for (const key of keys) features.remove(key)
  })
}

describe('the collections of mock.data()', () => {
  it('show the records of every kind', () => {
    expect(Object.keys(data)).toEqual(Object.keys(tables))
    expect(names(data.features.all())).toEqual(['banner', 'checkout', 'basket'])
    expect(data.events.count()).toBe(1)
    expect(data.settings.findFirst()).toBeUndefined()
  })

  it('are the same from call to call, and each call shows earlier commits', async () => {
    const { features } = data
    session.add({ features: [{ name: 'new' }] })
    expect(await update()).toBe(data)
    expect(names(features.all())).toEqual(['banner', 'checkout', 'basket', 'new'])
    session.add({ features: [{ name: 'checkout', stale: true }] })
    removeFeatures('banner')
    await update()
    expect(names(features.findMany((q) => q.where({ stale: true })))).toEqual(['checkout', 'basket'])
    expect(features.count()).toBe(3)
  })

  it('are correct for each of several concurrent calls, while records change', async () => {
    const asked = ['one', 'two', 'three'].map(async (name) => {
      session.add({ features: [{ name }, { name: 'banner', description: name }] })
      const { features } = await update()
      return [featureNamed(name).project.id, features.findFirst()?.name]
    })
    expect(await Promise.all(asked)).toEqual(Array(3).fill(['default', 'banner']))
    expect(names(data.features.all())).toEqual(['banner', 'checkout', 'basket', 'one', 'two', 'three'])
    expect(featureNamed('banner').description).toBe('three')
  })

  it('are never empty for readers while another world replaces this one', async () => {
    session.startOver(sample)
    const counts = new Set<number>()
    let isDone = false
    const done = update().then(() => {
      isDone = true
    })
    while (!isDone) {
      counts.add(data.features.count())
      await undefined
    }
    await done
    expect([...counts]).toEqual([3])
  })

  it.each(['in two steps', 'at once'])(
    'keep the order of the world when a record is removed and added again: %s',
    async (how) => {
      removeFeatures('banner')
      if (how === 'in two steps') await update()
      session.add({ features: [{ name: 'banner' }] })
      await update()
      expect(names(data.features.all())).toEqual(['checkout', 'basket', 'banner'])
    },
  )

  it('show the logged events, in their order', async () => {
    session.add({ events: [{ id: 3, type: 'feature-archived', featureName: 'basket' }] })
    await update()
    session.add({ events: [{ id: 2, type: 'feature-updated', featureName: 'banner' }] })
    await update()
    expect(data.events.all().map(({ id }) => id)).toEqual([1, 2, 3])
    expect(data.events.findMany((q) => q.where({ featureName: 'basket' }))).toMatchObject([
      { type: 'feature-archived' },
    ])
  })

  it('show the same object for a record until it changes', async () => {
    const [banner, checkout] = data.features.all()
    session.add({ features: [{ name: 'checkout', stale: true }] })
    await update()
    const [sameBanner, newCheckout] = data.features.all()
    expect(sameBanner).toBe(banner)
    expect([checkout?.stale, newCheckout?.stale]).toEqual([false, true])
  })
})

describe('queries', () => {
  it('sort, by several fields and by a related record', () => {
    const stale = data.features.findMany((q) => q.where({ stale: true }), { orderBy: { name: 'asc' } })
    expect(names(stale)).toEqual(['banner', 'basket'])
    const all = data.features.findMany(undefined, { orderBy: [{ project: { id: 'desc' } }, { name: 'asc' }] })
    expect(names(all)).toEqual(['basket', 'checkout', 'banner'])
  })

  it('page by take, skip and cursor', async () => {
    const { features } = data
    expect(names(features.findMany(undefined, { take: 1, skip: 1 }))).toEqual(['checkout'])
    expect(names(features.findMany(undefined, { take: -1 }))).toEqual(['basket'])
    const cursor = featureNamed('checkout')
    expect(names(features.findMany(undefined, { cursor, take: 2 }))).toEqual(['checkout', 'basket'])
    session.add({ features: [{ name: 'checkout', stale: true }] })
    await update()
    expect(names(features.findMany(undefined, { cursor, skip: 1 }))).toEqual(['basket'])
  })

  it('look into nested records and lists', () => {
    const { features, projects } = data
    expect(names(features.findMany((q) => q.where({ lifecycle: { stage: 'initial' }, stale: false })))).toEqual([
      'checkout',
    ])
    expect(names(features.findMany((q) => q.where({ environments: { enabled: true } })))).toEqual([])
    expect(names(features.findMany((q) => q.where({ project: { id: 'shop' }, stale: true })))).toEqual(['basket'])
    const byName = features.findMany((q) => q.where({ project: { name: (name) => name.endsWith('shop') } }))
    expect(names(byName)).toEqual(['checkout', 'basket'])
    expect(projects.findMany((q) => q.where({ features: { name: 'banner' } }))).toMatchObject([{ id: 'default' }])
  })

  it('accept functions on whole records', () => {
    const { features, segments } = data
    const found = (matches: (feature: ReturnType<typeof featureNamed>) => boolean) =>
      names(features.findMany((q) => q.where(matches)))
    expect(found(({ tags }) => tags.length > 0)).toEqual(['checkout'])
    expect(found(({ children }) => children.length > 0)).toEqual(['checkout'])
    expect(found(({ parents }) => parents.length > 0)).toEqual(['basket'])
    expect(segments.findMany((q) => q.where(({ project }) => project === null))).toMatchObject([{ id: 1 }])
    expect(segments.findMany((q) => q.where({ project: { id: 'shop' } }))).toMatchObject([{ id: 2 }])
  })

  it('combine by and, or', () => {
    const { features } = data
    expect(names(features.findMany((q) => q.where({ name: 'banner' }).or({ name: 'basket' })))).toEqual([
      'banner',
      'basket',
    ])
    expect(names(features.findMany((q) => q.or(q.where({ name: 'banner' }), { name: 'basket' })))).toHaveLength(2)
    const shop = features.findMany((q) => q.where({ stale: true }).and(({ project }) => project.id === 'shop'))
    expect(names(shop)).toEqual(['basket'])
  })

  it('can be created in advance', () => {
    const stale = new Query<ReturnType<typeof data.features.all>[number]>().where({ stale: true })
    expect(names(data.features.findMany(stale))).toEqual(['banner', 'basket'])
    expect(data.features.findFirst(stale)?.name).toBe('banner')
  })

  it('throw if they are strict and find nothing', () => {
    expect(() => data.features.findFirst((q) => q.where({ name: 'gone' }), { strict: true })).toThrow(/no record found/)
    expect(() => data.features.findMany((q) => q.where({ name: 'gone' }), { strict: true })).toThrow(/no records found/)
  })
})

describe('relations', () => {
  it("give a token's role and users, and a user's role and tokens", () => {
    const used = found(data.signupTokens.findFirst((q) => q.where({ secret: 'used' })))
    expect(used.role.name).toBe('Viewer')
    expect(names(used.users.map(({ rootRole }) => rootRole))).toEqual(['Admin', 'Viewer'])
    expect(used.users[0]?.signupTokens).toEqual([used])
    expect(names(used.role.signupTokens)).toEqual(['open', 'used'])
  })

  it("give a feature's project, parents, children and events, and a project's features, users and environments", () => {
    const basket = featureNamed('basket')
    expect(names(basket.parents)).toEqual(['checkout'])
    expect(names(featureNamed('checkout').children)).toEqual(['basket'])
    expect(names(basket.project.features)).toEqual(['checkout', 'basket'])
    expect(names(basket.project.environments)).toEqual(['development', 'production'])
    expect(featureNamed('banner').events).toMatchObject([{ id: 1, feature: { name: 'banner' } }])
    expect(featureNamed('banner').project.users).toMatchObject([{ id: 2 }])
  })

  it('follow changes on either side', async () => {
    const checkout = featureNamed('checkout')
    session.add({
      features: [
        { name: 'basket', project: 'default', dependencies: [] },
        { name: 'banner', project: 'shop' },
      ],
    })
    await update()
    expect(checkout.children).toEqual([])
    expect(names(checkout.project.features)).toEqual(['banner', 'checkout'])
    session.add({ roles: [{ id: 3, name: 'Reader' }], signupTokens: [{ secret: 'open', users: [{ id: 2 }] }] })
    await update()
    expect(data.signupTokens.findFirst()).toMatchObject({ role: { name: 'Reader' }, users: [{ id: 2 }] })
  })

  it('are null or left out if the record is gone', async () => {
    const { events } = data
    removeFeatures('banner', 'checkout')
    await update()
    expect(events.all().map((entry) => entry.feature)).toEqual([null])
    expect(featureNamed('basket').parents).toEqual([])
  })

  it('are part of the JSON if they replace a field, and only then', () => {
    const [first] = data.signupTokens.findMany((q) => q.where({ secret: 'used' }))
    const json = JSON.parse(JSON.stringify(first))
    expect(json).toMatchObject({
      secret: 'used',
      role: { name: 'Viewer' },
      users: [{ rootRole: { name: 'Admin' } }, {}],
    })
    expect(Object.keys(json)).not.toContain('signupTokens')
    expect(Object.keys(json.role)).not.toContain('users')
    expect(() => JSON.stringify(Object.values(data).map((collection) => collection.all()))).not.toThrow()
  })

  it('that lead back are those of a relation that contains keys', () => {
    const declared: Record<string, Record<string, object>> = relations
    for (const relation of Object.values(declared).flatMap((ofKind) => Object.values(ofKind))) {
      if ('inverse' in relation && 'to' in relation) {
        expect(declared[String(relation.to)]?.[String(relation.inverse)]).toHaveProperty('by')
      }
    }
  })
})

it('10,000 features are found, and a commit recreates only those that it changed', async () => {
  const numbers = Array.from({ length: 10_000 }, (_, i) => i)
  const shopOrNot = (i: number) => (i % 10 === 0 ? 'shop' : 'default')
  session.add({ features: numbers.map((i) => ({ name: `f${i}`, stale: i % 2 === 0, project: shopOrNot(i) })) })
  await update()
  const { features, projects } = data
  const shop = () => found(projects.findFirst((q) => q.where({ id: 'shop' })))
  expect(features.findMany((q) => q.where({ stale: true, project: { id: 'shop' } }))).toHaveLength(1001)
  expect(shop().features).toHaveLength(1002)
  const before = new Set(features.all())
  session.add({ features: [{ name: 'f5000', stale: false, project: 'default' }] })
  removeFeatures('f1')
  await update()
  expect(features.count()).toBe(10_002)
  expect(features.all().filter((record) => !before.has(record))).toMatchObject([{ name: 'f5000', stale: false }])
  expect(features.all()[5002]?.name).toBe('f5000')
  expect(shop().features).toHaveLength(1001)
})

it('the oldest events are dropped when the log is full, and the others stay the same objects', async () => {
  const logged = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: from + i, type: 'feature-created' as const }))
  session.add({ events: logged(2, EVENTS_KEPT) })
  await update()
  const [, second, third] = data.events.all()
  expect([data.events.count(), second?.id]).toEqual([EVENTS_KEPT, 3])
  session.add({ events: logged(EVENTS_KEPT + 2, 2) })
  await update()
  expect(data.events.count()).toBe(EVENTS_KEPT)
  expect(data.events.findFirst()).toBe(third)
})
