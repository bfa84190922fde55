import { describe, expect, it } from 'vitest'
import { createMock } from '../../../src/index.js'
import type { ProfileName } from '../../../src/service/contract/profile.js'
import { read } from '../../support/adapters.js'
import { validateDocument } from '../../support/openapi.js'

interface Content {
  schema: { $ref?: string; type?: string }
}
interface Described {
  operationId: string
  summary: string
  description: string
  tags: string[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, Content> }>
}

/** Unleash sends some errors here without a body. */
const MAY_HAVE_NO_BODY = [
  'addPublicSignupTokenUser 400',
  'changeMyPassword 400',
  'clientBulkMetrics 400',
  'deleteProjectApiToken 400',
  'deleteProjectApiToken 404',
  'getUserRoles 400',
  'removeSegment 409',
  'updatePublicSignupToken 400',
  'validatePublicSignupToken 400',
]

const names = ['documented', 'unleash-8'] as const

async function fetchDocument(profile: ProfileName, query = '') {
  const mock = createMock({ profile, baseUrl: 'https://flags.example.com/x', basePath: '/x' })
  return (await read(await mock.fetch(new Request(`https://flags.example.com/x/docs/openapi.json${query}`)))).body
}

const fetched = new Map<ProfileName, ReturnType<typeof fetchDocument>>()

/** The document of a profile, created only once. */
function documentOf(profile: ProfileName) {
  const known = fetched.get(profile) ?? fetchDocument(profile)
  fetched.set(profile, known)
  return known
}

describe.each(names)('the OpenAPI document of the profile %s', (name) => {
  async function described(): Promise<Described[]> {
    const { paths } = await documentOf(name)
    return Object.values(paths as Record<string, Record<string, Described>>).flatMap((methods) =>
      Object.values(methods),
    )
  }

  /** Every body of an operation, with its place. */
  async function contents() {
    return (await described()).flatMap(({ operationId, requestBody, responses }) => {
      const all = Object.entries({ ...responses, ...(requestBody && { body: requestBody }) })
      return all.flatMap(([at, { content = {} }]) =>
        Object.entries(content).map(([type, one]) => ({ where: `${operationId} ${at}`, type, ...one })),
      )
    })
  }

  it('is valid, and contains the base URL', async () => {
    const found = await documentOf(name)
    expect(found.servers).toEqual([{ url: 'https://flags.example.com/x' }])
    expect(await validateDocument(found)).toMatchObject({ valid: true, errors: undefined })
  })

  it('has the same operations in OpenAPI 3.0, for tools that need this version', async () => {
    const [older, found] = [await fetchDocument(name, '?version=3.0'), await documentOf(name)]
    expect([older.openapi, found.openapi]).toEqual(['3.0.3', '3.1.0'])
    expect(await validateDocument(older)).toEqual({ valid: true, errors: undefined, version: '3.0' })
    const operations = ({ paths }: { paths: object }) =>
      Object.entries(paths).map(([at, one]) => [at, Object.keys(one)])
    expect(operations(older)).toEqual(operations(found))
    expect(JSON.stringify(older)).toContain('"nullable":true')
  })

  it('has no other version', async () => {
    const refused = await fetchDocument(name, '?version=2.0')
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST', hint: '"version" is one of: 3.0, 3.1.' })
  })

  it('describes every tag at its root, and gives every operation a summary, a description and a tag', async () => {
    const { tags } = await documentOf(name)
    const found = await described()
    expect(tags.map((tag: { name: string }) => tag.name)).toEqual(
      expect.arrayContaining([...new Set(found.flatMap((operation) => operation.tags))]),
    )
    expect(tags.filter(({ description }: { description: string }) => !description)).toEqual([])
    const bare = found.filter(({ summary, description, tags: own }) => !summary || !description || own.length !== 1)
    expect(bare).toEqual([])
  })

  it('names the schema of every body', async () => {
    const unnamed = (await contents()).filter(({ schema, type }) =>
      type === 'application/json' ? schema.$ref === undefined : schema.type !== 'string',
    )
    expect(unnamed.map(({ where }) => where)).toEqual([])
    const bodiless = (await described()).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Number(status) >= 400 && content === undefined ? [`${operationId} ${status}`] : [],
      ),
    )
    expect(bodiless.toSorted()).toEqual(name === 'documented' ? [] : MAY_HAVE_NO_BODY)
  })

  it('is the same each time', async () => {
    expect(await fetchDocument(name)).toEqual(await documentOf(name))
  })
})

it('the OpenAPI document describes the responses of its profile', async () => {
  const documents = await Promise.all(names.map(documentOf))
  const clones = documents.map(
    ({ paths }) => paths['/api/admin/projects/{projectId}/features/{featureName}/clone'].post as Described,
  )
  expect(clones.map(({ responses }) => Object.keys(responses)[0])).toEqual(['200', '201'])
  const [documented, running] = clones.map(
    ({ responses }) => Object.values(responses)[0]?.content?.['application/json'],
  )
  expect(documented?.schema.$ref).not.toBe(running?.schema.$ref)
  expect(clones.map(({ description }) => description)).toEqual([
    expect.stringContaining('in any project'),
    expect.stringContaining('in the project of its source'),
  ])
  expect(documents[1].info.version).toBe('8.2.0')
})
