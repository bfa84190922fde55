import { expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

const clone = (name: string, headers: Record<string, string> = {}) =>
  new Request('http://localhost/api/admin/projects/default/features/checkout-redesign/clone', {
    method: 'POST',
    headers: { authorization: ADMIN, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name }),
  })

it('shows the changes of requests that got their response before the call', async () => {
  await using mock = createMock()
  await mock.data()
  expect((await mock.fetch(clone('copy'))).status).toBe(200)
  const { features, events } = await mock.data()
  expect(features.findFirst((q) => q.where({ name: 'copy' }))?.project.name).toBe('Default')
  expect(events.findMany((q) => q.where({ featureName: 'copy' }))).not.toEqual([])
})

it('follows reset, restore and scenario switches with the same collections', async () => {
  await using mock = createMock()
  const snapshot = mock.state()
  const { features } = await mock.data()
  await mock.fetch(clone('copy'))
  const { length } = snapshot.features
  const count = async () => {
    expect((await mock.data()).features).toBe(features)
    return features.count()
  }
  expect(await count()).toBe(length + 1)
  mock.reset()
  expect(await count()).toBe(length)
  mock.useScenario('empty')
  expect(await count()).toBe(0)
  mock.useScenario('default')
  mock.add({ features: [{ name: 'mine' }] })
  expect(await count()).toBe(length + 1)
  mock.restore(snapshot)
  expect(await count()).toBe(length)
})

it('shows another scenario that made as many changes', async () => {
  const scenario = (name: string) => ({
    ...{ name, title: name, promise: `It has ${name}.` },
    seed: { features: [{ name: 'legacy-export', description: name }] },
  })
  await using mock = createMock({ scenarios: [scenario('one'), scenario('other')] })
  for (const name of ['one', 'other']) {
    mock.useScenario(name)
    const { features } = await mock.data()
    expect(features.findFirst((q) => q.where({ name: 'legacy-export' }))?.description).toBe(name)
  }
})

it("shows the session's current world, and no other", async () => {
  await using mock = createMock()
  const session = mock.session('one')
  const [ours, theirs] = [await mock.data(), await session.data()]
  const before = ours.features.count()
  await session.fetch(clone('copy'))
  const inOtherWorld = await session.fetch(clone('other', { 'x-mock-scenario': 'expired-token' }))
  expect(inOtherWorld.status).toBe(200)
  expect(await mock.session('one').data()).toBe(theirs)
  await mock.data()
  expect([ours.features.count(), theirs.features.count()]).toEqual([before, before + 1])
})

it('waits for generated data', async () => {
  await using mock = createMock({ scenario: 'large-project' })
  const { features } = await mock.data()
  expect(features.count()).toBeGreaterThan(100)
})
