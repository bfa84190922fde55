import { expect, it } from 'vitest'
import { CORE } from '../../../src/engine/mock/session.js'
import { operationIds } from '../../../src/index.js'
import { ADMIN, CLIENT, FRONTEND, onEveryAdapter, read } from '../../support/adapters.js'
import { validateDocument } from '../../support/openapi.js'
import { anyRequestFor, rows } from '../../support/requests.js'

interface Described {
  operationId: string
  security: unknown[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}

onEveryAdapter('the OpenAPI document', (client) => {
  const fetchDocument = async (path: string) => {
    const { status, body } = await read(await client.adapter.fetch(path))
    expect(status).toBe(200)
    return body
  }
  let fetched: Promise<[document: Awaited<ReturnType<typeof fetchDocument>>, below: unknown]> | undefined
  /** The document at both of its paths, created only once for each adapter, because it takes long. */
  const documents = () => {
    fetched ??= Promise.all([fetchDocument('/__mock/openapi.json'), fetchDocument('/docs/openapi.json')])
    return fetched
  }
  const document = async () => (await documents())[0]
  const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'anything')
  const urlOf = (path: string) => client.adapter.origin + filled(path)
  const described = async () => {
    const { paths } = (await document()) as { paths: Record<string, Record<string, Described>> }
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
  }

  it('the OpenAPI document is valid for version 3.1, and needs no API token', async () => {
    expect(await validateDocument(await document())).toEqual({ valid: true, errors: undefined, version: '3.1' })
  })

  it('the OpenAPI document is also below /docs', async () => {
    const [found, below] = await documents()
    expect(below).toEqual(found)
  })

  it('the OpenAPI document has each operation once, with its method and path', async () => {
    const found = await described()
    expect(found.map(({ operationId }) => operationId).toSorted()).toEqual([...operationIds].toSorted())
    const answering = found.map(({ method, path }) => client.mock[CORE].match(method.toUpperCase(), urlOf(path), true))
    expect(answering).toEqual(found.map(({ operationId }) => operationId))
  })

  it('the OpenAPI document requires an API token exactly where a request without one gets a 401', async () => {
    const wrong: string[] = []
    for (const { operationId, method, path, security } of await described()) {
      const request = { method: method.toUpperCase(), redirect: 'manual' } as const
      const { status } = await client.adapter.fetch(filled(path), request)
      // The token of a link to set a password is in the query.
      const needsToken = status === 401 && operationId !== 'validateToken'
      if (needsToken !== security.length > 0) wrong.push(`${operationId}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it('the OpenAPI document has a request body exactly where a request without one gets a 415', async () => {
    const wrong: string[] = []
    for (const { operationId, method, path, requestBody } of await described()) {
      const headers = { authorization: keyFor(path) }
      const request = { method: method.toUpperCase(), headers, redirect: 'manual' } as const
      const { status } = await client.adapter.fetch(filled(path), request)
      if ((status === 415) !== (requestBody !== undefined)) wrong.push(`${operationId}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it('the OpenAPI document allows null exactly where the specification does', async () => {
    const { components } = (await document()) as { components: { schemas: Record<string, { properties: object }> } }
    const nullable = (schema: string) =>
      Object.entries(components.schemas[schema]?.properties ?? {})
        .filter(([, { anyOf, type }]) =>
          [anyOf?.map((one: { type: string }) => one.type), type].flat(2).includes('null'),
        )
        .map(([name]) => name)
    expect(nullable('featureSchema').toSorted()).toEqual([
      ...['archivedAt', 'createdAt', 'description', 'lastSeenAt', 'tags'],
    ])
    expect(nullable('publicSignupTokenSchema').toSorted()).toEqual(['createdBy', 'url', 'users'])
  })

  it('the OpenAPI document lists every status of an operation', async () => {
    const statuses = Object.fromEntries(
      (await described()).map(({ operationId, responses }) => [operationId, Object.keys(responses).map(Number)]),
    )
    expect(statuses).toMatchObject({
      cloneFeature: [200, 400, 401, 403, 404, 409, 413, 415, 503],
      updatePublicSignupToken: [200, 400, 401, 403, 404, 413, 415, 503],
      getFeature: [200, 400, 401, 404],
      validatePublicSignupToken: [200, 400, 401],
      addPublicSignupTokenUser: [201, 400, 401, 413, 415],
      getProjects: [200, 401],
      getHealth: [200, 401],
    })
  })

  it('operations that maintenance mode stops have a documented 503', async () => {
    await client.send('POST', '/api/admin/maintenance', { enabled: true })
    const listed = new Map((await described()).map((one) => [one.operationId, Object.keys(one.responses)]))
    // Signing out redirects, and fetch would follow to a place without the mock.
    for (const row of rows.filter(({ id }) => !id.startsWith('logout'))) {
      const { status } = await client.send(...anyRequestFor(row))
      expect([row.id, listed.get(row.id)?.includes('503')]).toEqual([row.id, status === 503])
      if (row.id === 'toggleMaintenance') await client.send('POST', '/api/admin/maintenance', { enabled: true })
    }
  })

  it('the OpenAPI document uses Unleash’s schema names', async () => {
    const { components } = await document()
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        'cloneFeatureSchema',
        'featureSchema',
        'publicSignupTokenUpdateSchema',
        'publicSignupTokenSchema',
        'userSchema',
        'roleSchema',
      ]),
    )
    expect(components.schemas.cloneFeatureSchema.required).toEqual(['name'])
    expect(components.schemas.publicSignupTokenUpdateSchema.required).toBeUndefined()
    expect(components.schemas.publicSignupTokenSchema.required.toSorted()).toEqual(
      ['createdAt', 'createdBy', 'enabled', 'expiresAt', 'name', 'role', 'secret', 'url', 'users'].toSorted(),
    )
  })
})

/** An API token for a path. */
function keyFor(path: string): string {
  if (path.startsWith('/api/client/')) return CLIENT
  return path.startsWith('/api/frontend') ? FRONTEND : ADMIN
}
