import { expect, it } from 'vitest'
import { onBothProfiles } from '../../support/both.js'

const path = '/api/admin/context'
const strategies = '/api/admin/projects/default/features/checkout-redesign/environments/development/strategies'

onBothProfiles('context fields', (client) => {
  const read = async () => (await client.send('GET', `${path}/region`)).body
  const events = () => client.mock.events.list().map(({ type, data, preData }) => ({ type, data, preData }))
  const create = (given: object = {}) => client.send('POST', path, { name: 'region', ...given })

  it('events show the body, without positions', async () => {
    await create({ description: 'Where', sortOrder: 7 })
    await client.send('PUT', `${path}/region`, { legalValues: [{ value: 'north' }] })
    await client.send('DELETE', `${path}/region`)
    const created = { name: 'region', description: 'Where', stickiness: false }
    const updated = { name: 'region', stickiness: false, legalValues: [{ value: 'north' }] }
    expect(events()).toEqual([
      { type: 'context-field-created', data: created, preData: null },
      { type: 'context-field-updated', data: updated, preData: { ...created, legalValues: [] } },
      { type: 'context-field-deleted', data: null, preData: expect.objectContaining({ ...created, ...updated }) },
    ])
  })

  it('a PUT resets omitted fields, except for the description', async () => {
    await create({ description: 'Where', stickiness: true, sortOrder: 7, legalValues: [{ value: 'north' }] })
    await client.send('PUT', `${path}/region`, {})
    expect(await read()).toMatchObject({ description: 'Where', stickiness: false, sortOrder: 0, legalValues: [] })
  })

  it('the fields of projects are listed on request', async () => {
    await create({ project: 'default' })
    const names = async (query = '') =>
      (await client.send('GET', path + query)).body.map(({ name }: { name: string }) => name)
    expect(await names()).not.toContain('region')
    expect(await names('?include=PROJECT')).toContain('region')
  })

  it.each([
    ['a long description', { description: 'x'.repeat(251) }],
    ['a legal value twice', { legalValues: [{ value: 'north' }, { value: 'north' }] }],
    ['a long legal value', { legalValues: [{ value: 'x'.repeat(101) }] }],
  ])('%s is rejected', async (_, given) => {
    expect((await create(given)).status).toBe(400)
    await create()
    expect((await client.send('PUT', `${path}/region`, given)).status).toBe(400)
  })

  it('a legal value keeps its place when its description changes', async () => {
    await create({ legalValues: [{ value: 'north' }, { value: 'south' }] })
    await client.send('POST', `${path}/region/legal-values`, { value: 'north', description: 'cold' })
    expect((await read()).legalValues).toEqual([{ value: 'north', description: 'cold' }, { value: 'south' }])
  })

  it('a legal value can’t be empty, and an unknown field is told first', async () => {
    const legal = { value: '' }
    expect((await client.send('POST', '/api/admin/context/nope/legal-values', legal)).status).toBe(404)
    expect((await client.send('POST', '/api/admin/context/appName/legal-values', legal)).status).toBe(400)
    expect((await client.send('POST', '/api/admin/context', { name: 'plan', legalValues: [legal] })).status).toBe(400)
  })

  it('a field that an active feature uses can’t be deleted', async () => {
    await create()
    const constraints = [{ contextName: 'region', operator: 'IN', values: ['north'] }]
    await client.send('POST', strategies, { name: 'default', constraints })
    const { status, body } = await client.send('DELETE', `${path}/region`)
    expect([status, body.name]).toEqual([409, 'ConflictError'])
    client.mock.add({ features: [{ name: 'checkout-redesign', archived: true }] })
    expect((await client.send('DELETE', `${path}/region`)).status).toBe(200)
  })
})

onBothProfiles('the order of context fields', (client) => {
  it('a PUT resets the sort order, whatever it sends', async () => {
    await client.send('POST', path, { name: 'region', sortOrder: 5 })
    expect((await client.send('GET', `${path}/region`)).body.sortOrder).toBe(5)
    await client.send('PUT', `${path}/region`, { sortOrder: 7 })
    expect((await client.send('GET', `${path}/region`)).body.sortOrder).toBe(0)
  })
})
