import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { type OperationRow, operations } from '../../../src/api/operations.js'
import { operationIds } from '../../../src/index.js'
import { onEveryDoor, read } from '../../support/doors.js'

interface Described {
  operationId: string
  security: unknown[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}

onEveryDoor('the OpenAPI document', (client) => {
  const document = async () => {
    const { status, body } = await read(await client.door.fetch('/__mock/openapi.json'))
    expect(status).toBe(200)
    return body
  }
  const described = async () => {
    const { paths } = (await document()) as { paths: Record<string, Record<string, Described>> }
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
  }

  it('is a valid one of version 3.1, and needs no key', async () => {
    const found = await document()
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(found))
    expect(errors).toBeUndefined()
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  it('is the same below /docs', async () => {
    const { body } = await read(await client.door.fetch('/docs/openapi.json'))
    expect(body).toEqual(await document())
  })

  it('has each operation of the table, by its id, once', async () => {
    const found = await described()
    expect(found.map(({ operationId }) => operationId).toSorted()).toEqual([...operationIds].toSorted())
    for (const row of operations as readonly OperationRow[]) {
      const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
      const { operationId, responses, security, requestBody } = found.find(
        (operation) => operation.path === path && operation.method === row.method.toLowerCase(),
      ) ?? { operationId: '', responses: {}, security: [] }
      expect(operationId).toBe(row.id)
      expect(requestBody !== undefined).toBe(row.body !== undefined)
      expect(security.length > 0).toBe(row.access !== 'public')
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(row.errors.map(String)))
    }
  })

  it('tells of every status that an operation answers', async () => {
    const statuses = Object.fromEntries(
      (await described()).map(({ operationId, responses }) => [operationId, Object.keys(responses).map(Number)]),
    )
    expect(statuses).toMatchObject({
      cloneFeature: [200, 400, 401, 403, 404, 409, 413, 415],
      updatePublicSignupToken: [200, 400, 401, 403, 404, 413, 415],
      getFeature: [200, 400, 401, 404],
      validatePublicSignupToken: [200, 400],
      addPublicSignupTokenUser: [201, 400, 413, 415],
      getProjects: [200, 401],
      getHealth: [200],
    })
  })

  it('shows the document’s names of schemas', async () => {
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
