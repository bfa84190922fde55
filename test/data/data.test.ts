import { Query } from '@msw/data'
import { beforeEach, describe, expect, it } from 'vitest'
import { createData } from '../../src/data/data.js'
import { dataTables, type MockData } from '../../src/data/tables.js'
import type { FakeSource } from './fake-source.js'
import { event, feature, project, records, role, sampleSource, token } from './sample.js'

let source: FakeSource
let data: MockData
beforeEach(async () => {
  source = sampleSource()
  data = await createData(source)()
})

const names = (found: readonly { name: string }[]) => found.map(({ name }) => name)

describe('collections show the records of the mock', () => {
  it('of every kind', () => {
    expect(Object.keys(data)).toEqual(Object.keys(dataTables))
    expect(names(data.features.all())).toEqual(['banner', 'checkout', 'basket'])
    expect(data.events.count()).toBe(1)
    expect(data.settings.findFirst()).toBeUndefined()
  })

  it('are made on first use and the same from then on, and read nothing before they are read', async () => {
    const fresh = sampleSource()
    const open = createData(fresh)
    const opened = await open()
    expect(fresh.reads).toBe(0)
    expect(await open()).toBe(opened)
    expect(opened.features.count()).toBe(3)
  })

  it('with each commit, at once', () => {
    source.commit({ features: [feature('new')] })
    expect(names(data.features.all())).toEqual(['banner', 'checkout', 'basket', 'new'])
    source.commit({ features: [feature('checkout', { stale: true })] }, { features: ['banner'] })
    expect(names(data.features.findMany((q) => q.where({ stale: true })))).toEqual(['checkout', 'basket'])
    expect(data.features.count()).toBe(3)
  })

  it('in the order of the world, also when one was removed and added again', () => {
    source.commit({}, { features: ['banner'] })
    source.commit({ features: [feature('banner')] })
    expect(names(data.features.all())).toEqual(['checkout', 'basket', 'banner'])
  })

  it('with the events that a commit logged', () => {
    source.commit({ features: [feature('new')], events: [event(2, 'new')] })
    expect(data.events.findMany((q) => q.where({ featureName: 'new' }))).toMatchObject([{ id: 2 }])
  })

  it('of the new world, when the world was replaced', () => {
    const { features, users, projects } = data
    const before = features.findFirst((q) => q.where({ name: 'checkout' }))
    source.replaceWorld({ projects: [project('default')], features: [feature('other')] })
    expect(names(features.all())).toEqual(['other'])
    expect(features.findFirst()?.project.features).toEqual(features.all())
    expect([users.count(), projects.count()]).toEqual([0, 1])
    expect(before).toMatchObject({ name: 'checkout' })
    source.replaceWorld(records())
    expect([features.count(), users.count()]).toEqual([3, 2])
  })

  it('as the same objects, until they change', () => {
    const [banner, checkout] = data.features.all()
    source.commit({ features: [feature('checkout', { stale: true })] })
    const [sameBanner, newCheckout] = data.features.all()
    expect(sameBanner).toBe(banner)
    expect([checkout?.stale, newCheckout?.stale]).toEqual([false, true])
  })

  it('and read a table again only after a commit that changed it', () => {
    data.features.all()
    const { reads } = source
    data.features.all()
    source.commit({ users: [] })
    data.features.findMany((q) => q.where({ stale: true }))
    expect(source.reads).toBe(reads)
  })
})

describe('queries', () => {
  it('sort, by several fields and by a related record', () => {
    const stale = data.features.findMany((q) => q.where({ stale: true }), { orderBy: { name: 'asc' } })
    expect(names(stale)).toEqual(['banner', 'basket'])
    const all = data.features.findMany(undefined, { orderBy: [{ project: { id: 'desc' } }, { name: 'asc' }] })
    expect(names(all)).toEqual(['basket', 'checkout', 'banner'])
  })

  it('page by take, skip and cursor', () => {
    const { features } = data
    expect(names(features.findMany(undefined, { take: 1, skip: 1 }))).toEqual(['checkout'])
    expect(names(features.findMany(undefined, { take: -1 }))).toEqual(['basket'])
    const cursor = features.findFirst((q) => q.where({ name: 'checkout' }))
    if (cursor === undefined) throw new Error('There is no checkout.')
    expect(names(features.findMany(undefined, { cursor, take: 2 }))).toEqual(['checkout', 'basket'])
    source.commit({ features: [feature('checkout', { stale: true })] })
    expect(names(features.findMany(undefined, { cursor, skip: 1 }))).toEqual(['basket'])
  })

  it('page what is sorted', () => {
    const { features } = data
    expect(names(features.findMany(undefined, { orderBy: { name: 'desc' }, take: 1 }))).toEqual(['checkout'])
    const cursor = features.findFirst((q) => q.where({ name: 'basket' }))
    if (cursor === undefined) throw new Error('There is no basket.')
    expect(names(features.findMany(undefined, { orderBy: { name: 'asc' }, cursor, skip: 1 }))).toEqual(['checkout'])
  })

  it('look into nested records and lists', () => {
    const { features, projects } = data
    expect(names(features.findMany((q) => q.where({ lifecycle: { stage: 'initial' } })))).toHaveLength(3)
    expect(names(features.findMany((q) => q.where({ environments: { enabled: true } })))).toEqual([])
    expect(names(features.findMany((q) => q.where({ project: { id: 'shop' }, stale: true })))).toEqual(['basket'])
    const byName = features.findMany((q) => q.where({ project: { name: (name) => name.endsWith('shop') } }))
    expect(names(byName)).toEqual(['checkout', 'basket'])
    expect(projects.findMany((q) => q.where({ features: { name: 'banner' } }))).toMatchObject([{ id: 'default' }])
  })

  it('honour functions on lists and on whole records', () => {
    const { features } = data
    expect(names(features.findMany((q) => q.where({ tags: (tags) => tags.length > 0 })))).toEqual(['checkout'])
    expect(names(features.findMany((q) => q.where({ children: (children) => children.length > 0 })))).toEqual([
      'checkout',
    ])
    expect(names(features.findMany((q) => q.where(({ parents }) => parents.length > 0)))).toEqual(['basket'])
  })

  it('find what points at nothing by null', () => {
    expect(data.segments.findMany((q) => q.where({ project: null }))).toMatchObject([{ id: 1 }])
    expect(data.segments.findMany((q) => q.where({ project: { id: 'shop' } }))).toMatchObject([{ id: 2 }])
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

  it('can be made beforehand', () => {
    const stale = new Query<ReturnType<typeof data.features.all>[number]>().where({ stale: true })
    expect(names(data.features.findMany(stale))).toEqual(['banner', 'basket'])
    expect(data.features.findFirst(stale)?.name).toBe('banner')
  })

  it('throw when they are strict and nothing is found', () => {
    expect(() => data.features.findFirst((q) => q.where({ name: 'gone' }), { strict: true })).toThrow(/no record found/)
    const sorted = { strict: true, orderBy: { name: 'asc' }, take: 1 } as const
    expect(() => data.features.findMany((q) => q.where({ name: 'gone' }), sorted)).toThrow(/no records found/)
  })
})

describe('relations', () => {
  const found = <Item>(item: Item | undefined): Item => {
    if (item === undefined) throw new Error('Nothing was found.')
    return item
  }
  const featureNamed = (name: string) => found(data.features.findFirst((q) => q.where({ name })))

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

  it('follow changes on either side', () => {
    const checkout = featureNamed('checkout')
    source.commit({ features: [feature('basket', { project: 'default' }), feature('banner', { project: 'shop' })] })
    expect(checkout.children).toEqual([])
    expect(names(checkout.project.features)).toEqual(['banner', 'checkout'])
    source.commit({ roles: [role(3, 'Reader')], signupTokens: [token('open', [2])] })
    expect(data.signupTokens.findFirst()).toMatchObject({ role: { name: 'Reader' }, users: [{ id: 2 }] })
  })

  it('are null or left out where the record is gone', () => {
    const { events } = data
    source.commit({ events: [event(2, null)] }, { features: ['banner', 'checkout'] })
    expect(events.all().map((entry) => entry.feature)).toEqual([null, null])
    expect(featureNamed('basket').parents).toEqual([])
  })

  it('are part of the JSON where they take the place of a field, and only there', () => {
    const [first] = data.signupTokens.findMany((q) => q.where({ secret: 'used' }))
    const json = JSON.parse(JSON.stringify(first))
    expect(json).toMatchObject({
      secret: 'used',
      role: { name: 'Viewer' },
      users: [{ rootRole: { name: 'Admin' } }, {}],
    })
    expect(Object.keys(json)).toEqual(Object.keys(token('', [])))
    expect(() => JSON.stringify(Object.values(data).map((collection) => collection.all()))).not.toThrow()
  })

  it('point at tables that there are, by relations that hold keys', () => {
    const tables: Record<string, { relations: Record<string, object> }> = dataTables
    for (const { relations } of Object.values(tables)) {
      for (const relation of Object.values(relations)) {
        const target = 'to' in relation ? tables[String(relation.to)] : undefined
        expect(target).toBeDefined()
        if ('inverse' in relation) expect(target?.relations[String(relation.inverse)]).toHaveProperty('by')
      }
    }
  })
})

it('hold ten thousand features, and change one of them without making the others again', () => {
  const numbers = Array.from({ length: 10_000 }, (_, i) => i)
  const many = numbers.map((i) => feature(`f${i}`, { stale: i % 2 === 0, project: i % 10 === 0 ? 'shop' : 'default' }))
  source.replaceWorld({ ...records(), features: many })
  const { features, projects } = data
  expect(features.findMany((q) => q.where({ stale: true, project: { id: 'shop' } }))).toHaveLength(1000)
  expect(projects.findFirst((q) => q.where({ id: 'shop' }))?.features).toHaveLength(1000)
  const before = features.all()
  source.commit({ features: [feature('f5000', { stale: false })] }, { features: ['f1'] })
  const after = features.all()
  expect(after).toHaveLength(9999)
  const known = new Set(before)
  expect(after.filter((record) => !known.has(record))).toMatchObject([{ name: 'f5000' }])
  expect(projects.findFirst((q) => q.where({ id: 'shop' }))?.features).toHaveLength(999)
})
