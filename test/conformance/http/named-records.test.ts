import { expect, it } from 'vitest'
import { type OperationId, type OperationRow, operations } from '../../../src/service/api/operations.js'
import { isObject } from '../../../src/support/json.js'
import { onBothProfiles } from '../../support/both.js'
import { BODIES, exampleName, UNKNOWN } from '../../support/example-requests.js'

interface Resource {
  /** The permissions to create, to change and to delete a record. */
  permissions: readonly [string, string, string]
  /** Its events are …-created, …-updated and …-deleted. */
  event: string
  /** Whether another record can't have its name. */
  isUnique?: true
  change: Readonly<Record<string, unknown>>
}

const field = {
  event: 'context-field',
  isUnique: true,
  change: { description: 'changed', stickiness: true, legalValues: [{ value: 'gold' }] },
} as const

const resources: Readonly<Record<string, Resource>> = {
  '/api/admin/tag-types': {
    permissions: ['CREATE_TAG_TYPE', 'UPDATE_TAG_TYPE', 'DELETE_TAG_TYPE'],
    event: 'tag-type',
    isUnique: true,
    change: { description: 'changed', icon: 'T', color: '#123456' },
  },
  '/api/admin/segments': {
    permissions: ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'DELETE_SEGMENT'],
    event: 'segment',
    isUnique: true,
    change: { name: 'gamma', description: 'changed', constraints: [] },
  },
  '/api/admin/context': {
    ...field,
    permissions: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD', 'DELETE_CONTEXT_FIELD'],
  },
  '/api/admin/projects/:projectId/context': {
    ...field,
    permissions: ['UPDATE_PROJECT_CONTEXT', 'UPDATE_PROJECT_CONTEXT', 'UPDATE_PROJECT_CONTEXT'],
  },
  '/api/admin/strategies': {
    permissions: ['CREATE_STRATEGY', 'UPDATE_STRATEGY', 'DELETE_STRATEGY'],
    event: 'strategy',
    isUnique: true,
    change: { title: 'changed', description: 'changed', parameters: [{ name: 'plan', type: 'string' }] },
  },
  '/api/admin/user-admin': {
    permissions: ['ADMIN', 'ADMIN', 'ADMIN'],
    event: 'user',
    change: { name: 'Countess', email: 'countess@example.com' },
  },
  '/api/admin/addons': {
    permissions: ['CREATE_ADDON', 'UPDATE_ADDON', 'DELETE_ADDON'],
    event: 'addon-config',
    change: { ...(BODIES.updateAddon as object), description: 'changed', events: ['feature-archived'] },
  },
}

type Row = OperationRow & { id: OperationId }
const rows: readonly Row[] = operations

/** The operations on records with keys: one creates a record, and others list, read, change and delete it. */
const families = rows.flatMap((create) => {
  const at = (method: string, path: string) =>
    rows.find((row) => row.method === method && row.path.replace(/:\w+$/, ':key') === create.path + path)
  const [list, read, change, remove] = [at('GET', ''), at('GET', '/:key'), at('PUT', '/:key'), at('DELETE', '/:key')]
  if (create.method !== 'POST' || create.success.status !== 201) return []
  if (!list || !read || !change || !remove || remove.secretParams || remove.id === 'archiveFeature') return []
  return [{ create, change, remove, validate: at('POST', '/validate') }]
})

it('the table has each resource whose records are created, listed, read, changed and deleted', () => {
  expect(families.map(({ create }) => create.path).toSorted()).toEqual(Object.keys(resources).toSorted())
})

/** The record with this key in a response: the body, or a part of it. */
function recordIn(body: unknown, key: unknown): Record<string, unknown> | undefined {
  if (isObject(body) && (body.id ?? body.name) === key) return body
  return isObject(body) || Array.isArray(body)
    ? Object.values(body).flatMap<Record<string, unknown>>((part) => recordIn(part, key) ?? [])[0]
    : undefined
}

/** The fields of a body that responses show as sent. Some parameters of an integration are secret. */
function shown(body: object) {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name !== 'parameters' || Array.isArray(value)),
  )
}

/** A value of another type. */
function misfit(value: unknown): unknown {
  if (typeof value === 'string') return {}
  return typeof value === 'number' || typeof value === 'boolean' ? 'x' : 7
}

for (const { create, change, remove, validate } of families) {
  const path = create.path.replace(/:(\w+)/g, (_, name) => exampleName(create.path, name))
  const body = BODIES[create.id] as Record<string, unknown>
  const { permissions, event, isUnique, change: changed } = resources[create.path] as Resource

  onBothProfiles(`the records at ${create.path}`, (client) => {
    const send = (method: string, key: unknown, sent?: object) => client.send(method, `${path}/${key}`, sent)
    const make = (sent: object = body) => client.send('POST', path, sent)
    const made = async () => {
      const { status, headers, body: answer } = await make()
      const key = answer.id ?? answer.name
      expect(status).toBe(201)
      const location = headers.get('location') ?? `${key}`
      expect(location).toMatch(new RegExp(`(^|/)${key}$`))
      expect(`${path}/${key}`.endsWith(location)).toBe(true)
      return key
    }
    const listed = async (key: unknown) => recordIn((await client.send('GET', path)).body, key)
    const read = async (key: unknown) => recordIn((await send('GET', key)).body, key)

    it('are created, listed, read, changed and deleted, each with an event', async () => {
      const key = await made()
      expect(await listed(key)).toMatchObject(shown(body))
      expect(await read(key)).toMatchObject(shown(body))
      expect((await send('PUT', key, changed)).status).toBe(change.success.status)
      const after = await read(key)
      expect(after).toMatchObject(shown(changed))
      expect((await send('DELETE', key)).status).toBe(remove.success.status)
      expect([(await send('GET', key)).status, await listed(key)]).toEqual([404, undefined])
      const [first, second, third, ...others] = client.mock.events.list()
      const types = [first, second, third].map((one) => one?.type)
      expect(types).toEqual(['created', 'updated', 'deleted'].map((verb) => `${event}-${verb}`))
      expect([first?.data, second?.data]).toMatchObject([shown(body), shown(changed)])
      expect(recordIn(third?.data ?? third?.preData, key)).toBeDefined()
      expect(others).toEqual([])
    })

    it('are in a snapshot', async () => {
      const key = await made()
      const before = await read(key)
      const state = client.mock.state()
      await send('DELETE', key)
      client.mock.restore(state)
      expect(await read(key)).toEqual(before)
    })

    it('are not found by another key', async () => {
      const answers = [await send('GET', UNKNOWN), await send('PUT', UNKNOWN, changed), await send('DELETE', UNKNOWN)]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    })

    it.each(Object.keys(body))('need a %s of the right type', async (name) => {
      const before = client.mock.state()
      expect((await make({ ...body, [name]: misfit(body[name]) })).status).toBe(400)
      expect(client.mock.state()).toEqual(before)
    })

    it.runIf(isUnique)('have unique, well-formed names, and a check of names agrees', async () => {
      for (const [name, status] of [
        ['free', 201],
        [body.name, 201],
        [body.name, 409],
        ['', 400],
      ] as const) {
        const check = validate && (await client.send('POST', `${path}/validate`, { name })).status
        expect((await make({ ...body, name })).status).toBe(status)
        if (validate) expect(check).toBe(status === 201 ? validate.success.status : status)
      }
    })

    it.each(['POST', 'PUT', 'DELETE'].map((method, i) => [method, permissions[i] ?? '']))(
      '%s needs %s',
      async (method, needed) => {
        const at = method === 'POST' ? path : `${path}/${await made()}`
        const sent = { POST: body, PUT: changed }[method]
        const permit = (id: number, granted: readonly string[]) =>
          client.mock.add({
            roles: [{ id, permissions: granted.map((name) => ({ name })) }],
            users: [{ id, rootRole: id }],
            apiTokens: [{ secret: `user:${id}`, userId: id }],
          })
        permit(71, [needed])
        permit(
          72,
          permissions.filter((name) => name !== needed),
        )
        const refused = await client.send(method, at, sent, { key: 'user:72' })
        expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining(needed)])
        expect((await client.send(method, at, sent, { key: 'user:71' })).status).toBeOneOf([200, 201, 204])
      },
    )
  })
}
