import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createMock, type Mock } from '../../src/index.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { FIXED } from '../support/adapters.js'
import { ADMIN_USER } from '../support/any-request.js'
import { exampleName, KEYS } from '../support/example-requests.js'
import { SIZES, square, squareOfWork, workOf } from '../support/work.js'
import { many, words, worldOf } from '../support/work-world.js'

// tools/count-work.js counts the work with n items in each list of a request and of its state.

/** The allowed quadratic growth of steps and of stored characters. */
const LINEAR = { work: 0.5, kept: 0.5 }

/** These operations combine two lists, so the result is as large as their product. It has a limit (docs/limits.md). */
const SQUARE: Readonly<Record<string, typeof LINEAR>> = {
  // Each environment gets all variants.
  overwriteFeatureVariantsOnEnvironments: { work: 0.5, kept: 450 },
  // Each event has all tags of its feature, as in Unleash.
  updateTags: { work: 0.5, kept: 165 },
  // Each combination of values repeats the context.
  getAdvancedPlayground: { work: 110, kept: 0.5 },
  // Each feature gets all tags, which each of its events has, as in Unleash.
  addTagToFeatures: { work: 360, kept: 7800 },
}

/** No generated request succeeds here: the paths are disabled or require a signature. */
const NEVER = ['getFrontendClientFeatures', 'getFrontendHealth', 'getFrontendPrometheus', 'edgeCreateOrReturnTokens']

interface Shape {
  n: number
  /** Whether all items of a list equal the first. */
  equal: (list: string) => boolean
  /** The paths of the lists in the body. */
  lists: Set<string>
}

/** Values by field name; `#` is the index of the item. Fields of list items are `list/field`. Other values are `x#`. */
const VALUES = {
  'new#': 'name',
  'new#@example.com': 'email',
  'Correct-horse-7': 'password confirmPassword',
  flagdouble: 'oldPassword',
  'f#': 'features featureName feature toggles',
  'e#': 'environments',
  development: 'environment environmentId',
  default: 'project projectId stickiness',
  'p#': 'projects',
  'c#': 'properties',
  userId: 'contextName',
  'v#': 'values value legalValues variants variants/name',
  simple: 'tagType tags/type addedTags/type removedTags/type',
  't#': 'tagValue removedTags/value',
  s0: 'strategyId',
  variable: 'weightType',
  'st#': 'strategies',
  'app#': 'appName',
  '1#': 'id ids segments segmentIds',
  'https://example.com/#': 'url',
  'https://o#.example.com': 'frontendApiOrigins',
  'default:development.k#': 'tokens',
  '2026-12-20T12:00:00.000Z': 'expiresAt createdAt currentTime started',
  '2026-11-20T11:00:00.000Z': 'start stop timestamp',
  '#123abc': 'color',
  'feature-created': 'events',
  webhook: 'provider',
  '1': 'yes',
  '2': 'rootRole',
}
const FIELDS = new Map(
  Object.entries(VALUES).flatMap(([value, names]) => names.split(' ').map((name) => [name, value])),
)

function textOf(names: readonly (string | undefined)[], i: number, n: number): string {
  const [list, name = ''] = names
  if (name === 'title') return words(i === 0 ? n : 1)
  if (name === 'weight') return i === 0 ? '1000' : '0'
  return (FIELDS.get(`${list}/${name}`) ?? FIELDS.get(name) ?? 'x#').replace(/#(?!\d)/, String(i))
}

type Schema = z.core.JSONSchema.BaseSchema

/** A value that fits a schema, with n items in each list; only the first item of a list has lists of n items. */
function valueFor(schema: Schema, root: Schema, shape: Shape, at: string[] = [], i = 0, n = shape.n): unknown {
  const { $ref, anyOf, oneOf, allOf, properties = {}, additionalProperties, items } = schema
  const inner = (one: unknown, place: string, k = i, size = n) =>
    valueFor((one ?? {}) as Schema, root, shape, [...at, place], k, size)
  if ($ref !== undefined)
    return valueFor((root.$defs?.[$ref.split('/').at(-1) ?? ''] ?? root) as Schema, root, shape, at, i, n)
  const [option] = anyOf ?? oneOf ?? allOf ?? []
  if (option !== undefined) return valueFor(option as Schema, root, shape, at, i, n)
  const names = at.filter((name) => name !== '[]')
  const grown = <Item>(item: (k: number, size: number) => Item) => {
    const list = at.join('.')
    shape.lists.add(list)
    return many(n, (k) => item(shape.equal(list) ? 0 : k, k === 0 ? n : 1))
  }
  if (schema.type === 'array') return grown((k, size) => inner(items, '[]', k, size))
  if (schema.type === 'object') {
    const own = Object.entries(properties).map(([name, one]) => [name, inner(one, name)] as const)
    const isMap = own.length === 0 && typeof additionalProperties === 'object'
    const more = isMap
      ? grown((k, size) => [textOf(['', names.at(-1)], k, n), inner(additionalProperties, '{}', k, size)])
      : []
    return Object.fromEntries([...own, ...more])
  }
  const text = textOf([names.at(-2), names.at(-1)], i, n)
  // A payload of the type `json` would have to be JSON.
  const choices = schema.enum
  if (choices !== undefined) return [text, 'string'].find((one) => choices.includes(one)) ?? choices[0]
  if (schema.const !== undefined) return schema.const
  const [type] = [schema.type].flat()
  if (type === 'boolean') return true
  return type === 'string' ? text : Number(/^\d+$/.exec(text) ?? i)
}

/** Values of path parameters, by name or by the preceding segment and the name. */
const NAMES: Readonly<Record<string, string>> = {
  'feature-types/id': 'release',
  ...{ featureName: 'f0', 'features/name': 'f0', strategyId: 's0', linkId: 'l0', contextField: 'c0', legalValue: 'v0' },
  ...{ id: '10', parent: 'f0', value: 't0', 'strategies/name': 'st0', 'environments/name': 'e0', 'user-admin/id': '1' },
  ...{ 'api-tokens/token': 'default:development.k0', 'api-tokens/name': 'k0' },
}
/** A project and a feature with n environments, instead of those with n features and n strategies. */
const ELSEWHERE = { featureName: 'wide', projectId: 'many', environment: 'e0', strategyId: 'w0' }

/** Changes to the requests that are generated from the schemas. */
interface Fix {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  body?: (body: any, n: number, number: (i: number) => number) => unknown
  params?: Record<string, string>
  query?: (list: (item: string, separator?: string) => string, n: number) => string
}

const using = (more: object): Fix => ({ body: (body) => ({ ...body, ...more }) })
const named = (params: Record<string, string>): Fix => ({ params })
const patch = (path: string, value: string): Fix => ({
  body: (_, n, at) => many(n, (i) => ({ op: 'replace', path: path.replace('#', `${at(i)}`), value: value + i })),
})
const family = (of: string): Fix => ({
  body: (_, n, at) => ({
    features: [...many(n, (i) => of + at(i)), ...(of === 'f' ? many(n, (i) => `child${i}`) : [])],
  }),
})
const strategy: Fix = {
  body: ({ segments = [], constraints, ...body }) => {
    return { ...body, name: 'flexibleRollout', segments: segments.slice(0, 5), constraints: constraints?.slice(0, 30) }
  },
}
const segment: Fix = { body: (body) => ({ ...body, constraints: body.constraints.slice(0, 30) }) }
const histogram = (buckets: number) => {
  return { count: 1, sum: 1, buckets: many(buckets, (le) => ({ le, count: 1 })) }
}
const impact: Fix = {
  body: (body, n, at) => ({
    ...body,
    impactMetrics: many(n, (i) => ({
      name: `h${at(i)}`,
      help: '',
      type: 'histogram',
      samples: [histogram(i === 0 ? n : 1)],
    })),
  }),
}
/** Eight terms, and a long one that almost occurs in the world's longest text. */
const terms = (n: number) => `${words(8)},b${'a'.repeat(20 * n)}`
const search: Fix = { query: (_, n) => `limit=1000&query=${terms(n)}` }
const imported: Fix = {
  body: ({ data, ...body }) => {
    const item = (of: string, change: (one: Record<string, unknown>, i: number) => object) => ({
      [of]: data[of].map(change),
    })
    const feature = (i: number) => `new${i}`
    return {
      ...body,
      data: {
        ...data,
        ...item('featureStrategies', (one, i) => ({
          ...one,
          ...{ name: 'flexibleRollout', featureName: feature(i), segments: [10], constraints: [] },
        })),
        ...item('features', ({ name, project, description }) => ({ name, project, description, type: 'release' })),
        ...item('contextFields', ({ project, ...one }) => one),
        ...item('segments', (one, i) => ({ ...one, name: `s${i}` })),
        ...item('dependencies', (_, i) => ({ feature: feature(i), dependencies: [{ feature: 'f0' }] })),
        ...item('featureTags', (one) => ({ ...one, featureName: 'new0' })),
        ...item('featureEnvironments', ({ name, environment }) => ({
          name,
          featureName: name,
          environment,
          enabled: true,
        })),
        ...item('links', (_, i) => ({ feature: feature(i), links: [{ url: 'https://example.com' }] })),
      },
    }
  },
}

const FIXES: Readonly<Record<string, Fix>> = {
  updateFeature: using({ name: 'f0' }),
  patchFeature: patch('/description', 'd'),
  patchFeatureStrategy: patch('/title', 't'),
  patchEnvironmentsFeatureVariants: patch('/#/stickiness', 'c'),
  archiveFeature: named({ featureName: 'f1' }),
  deleteFeature: named({ featureName: 'a0' }),
  archiveFeatures: family('f'),
  validateArchiveFeatures: family('f'),
  deleteFeatures: family('a'),
  reviveFeatures: family('a'),
  addFeatureStrategy: { ...strategy, ...named({ featureName: 'f1' }) },
  updateFeatureStrategy: strategy,
  addDefaultStrategyToProjectEnvironment: strategy,
  addEnvironmentToProject: { body: () => ({ environment: 'e0' }) },
  setStrategySortOrder: { body: (_, n, at) => many(n, (i) => ({ id: `s${at(i)}`, sortOrder: i })) },
  overwriteFeatureVariantsOnEnvironments: named({ projectId: 'many', featureName: 'wide' }),
  addFeatureDependency: named({ featureName: 'f1' }),
  deleteFeatureDependency: named({ featureName: 'child0' }),
  deleteFeatureDependencies: named({ featureName: 'child0' }),
  createFeature: {
    body: (body, n, at) => ({ ...body, tags: many(n, (i) => ({ type: 'simple', value: `t${at(i)}` })) }),
  },
  resetUserPassword: using({ id: 'u1@example.com' }),
  addTag: using({ type: 'simple' }),
  createTag: using({ type: 'simple', value: 'brand-new' }),
  createSegment: segment,
  updateSegment: segment,
  removeSegment: named({ id: '999' }),
  createFeatureLink: named({ featureName: 'f1' }),
  updateFeatureStrategySegments: { body: (body) => ({ ...body, segmentIds: body.segmentIds.slice(0, 5) }) },
  updateContextFieldForProject: named({ contextField: 'own' }),
  deleteContextFieldForProject: named({ contextField: 'own' }),
  updateContextFieldLegalValueForProject: named({ contextField: 'own' }),
  deleteContextFieldLegalValueForProject: named({ contextField: 'own' }),
  getContextFieldForProject: named({ contextField: 'own' }),
  getStrategiesByContextFieldForProject: named({ contextField: 'own' }),
  importToggles: imported,
  validateImport: imported,
  exportFeatures: { body: ({ environment, features }) => ({ environment, features }) },
  login: using({ username: 'admin@example.com', password: 'flagdouble' }),
  changePassword: using({ token: 'reset-link' }),
  sendResetPasswordEmail: using({ email: 'editor@example.com' }),
  validateToken: { query: () => 'token=reset-link' },
  getUserRoles: { query: () => 'projectId=default' },
  updateFeedback: { body: () => ({ neverShow: true }), params: { id: 'fb0' } },
  createApiToken: { body: ({ project, ...body }) => ({ ...body, type: 'client' }) },
  createProjectApiToken: using({ type: 'client' }),
  registerClientMetrics: impact,
  registerFrontendMetrics: impact,
  clientBulkMetrics: impact,
  getPlayground: { body: (body) => ({ ...body, projects: ['default', ...body.projects] }) },
  getAdvancedPlayground: {
    body: ({ context, ...body }) => ({ ...body, projects: ['many'], context: { ...context, userId: words(8) } }),
  },
  deleteProjectApiToken: named({ token: 'default:development.own' }),
  getFeatures: { query: (list) => list('tag=simple:t#', '&') },
  getAllClientFeatures: { query: (list) => `${list('tag=simple:t#', '&')}&${list('project=p#', '&')}&project=default` },
  searchFeatures: {
    query: (list, n) =>
      `limit=100&query=${terms(n)}&tag=INCLUDE_ANY_OF:${list('simple:z#')},simple:t0&project=IS_ANY_OF:${list('p#')},default` +
      `&segment=INCLUDE_ANY_OF:${list('z#')},s0&${list('status=e#:enabled', '&')}&status=development:enabled`,
  },
  searchEvents: {
    query: (list, n) => `limit=1000&query=${terms(n)}&feature=IS_ANY_OF:${list('x#')},f0&type=IS_ANY_OF:${list('x#')}`,
  },
  getApplications: search,
  getProjectApplications: search,
  getRawFeatureMetrics: { query: () => 'hoursBack=48' },
  getFrontendFeatures: { query: (list) => `${list('properties[c#]=v', '&')}&userId=1` },
}

const worlds = new Map(SIZES.map((n) => [n, worldOf(n)]))
const weigh = (mock: Mock) => JSON.stringify(mock.state()).length

function requestFor(row: OperationRow, shape: Shape, params: Readonly<Record<string, string>>): Request {
  const { body: change, params: own = {}, query } = FIXES[row.id] ?? {}
  const { n, equal } = shape
  const segments = row.path.split('/')
  const path = row.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const before = segments[segments.indexOf(`:${name}`) - 1]
    const value = { ...own, ...params }[name] ?? NAMES[`${before}/${name}`] ?? NAMES[name]
    return encodeURIComponent(value ?? exampleName(row.path, name))
  })
  const list = (item: string, separator = ',') =>
    words(n, (i) => item.replace('#', String(equal('query') ? 0 : i)), separator)
  const url = `http://localhost${path}${query === undefined ? '' : `?${query(list, n)}`}`
  const headers = {
    authorization: row.access === 'admin' ? ADMIN_USER : (KEYS[row.access] ?? ''),
    'content-type': 'application/json',
  }
  if (row.body === undefined) return new Request(url, { method: row.method, headers })
  const schema = z.toJSONSchema(row.body, { io: 'input', unrepresentable: 'any' })
  const made = valueFor(schema, schema, shape)
  const body = change === undefined ? made : change(made, n, (i) => (equal('') ? 0 : i))
  return new Request(url, { method: row.method, headers, body: JSON.stringify(body) })
}

/** The work of a request by line of code, and the characters it stores. Undefined if the request is rejected. */
async function measure(row: OperationRow, shape: Shape, params: Readonly<Record<string, string>>) {
  const mock = createMock({ ...FIXED, fixtures: worlds.get(shape.n) })
  const before = weigh(mock)
  const request = requestFor(row, shape, params)
  const [{ status }, work] = await workOf(() => mock.fetch(request))
  return status >= 400 ? undefined : { work, kept: weigh(mock) - before }
}

/** Variants of the lists in a request: all items differ, all are equal, or those of one list at a time are equal. */
function modesOf(row: OperationRow): (readonly [string, Shape['equal']])[] {
  const different = ['different', () => false] as const
  if (row.body === undefined && FIXES[row.id]?.query === undefined) return [different]
  const lists = new Set<string>()
  requestFor(row, { n: 2, equal: () => false, lists }, {})
  const outer = [...lists].filter((list) => !list.includes('[]'))
  const each = outer.map((list) => [`equal ${list}`, (one: string) => one === list] as const)
  return [different, ['equal', () => true], ...each]
}

async function squaresOf(row: OperationRow, equal: Shape['equal'], params: Readonly<Record<string, string>>) {
  const runs: NonNullable<Awaited<ReturnType<typeof measure>>>[] = []
  for (const n of SIZES) {
    const run = await measure(row, { n, equal, lists: new Set() }, params)
    if (run === undefined) return undefined
    runs.push(run)
  }
  return { ...squareOfWork(runs.map(({ work }) => work)), kept: square(runs.map(({ kept }) => kept)) }
}

describe('work and stored characters grow linearly with the size of the request and of the state', () => {
  it.each(operations.filter(({ id }) => !NEVER.includes(id)))('$id', async (row: OperationRow) => {
    const most = SQUARE[row.id] ?? LINEAR
    const isElsewhere = FIXES[row.id]?.params === undefined && /:projectId|:environment/.test(row.path)
    const found = []
    for (const [mode, equal] of modesOf(row)) {
      for (const params of isElsewhere ? [{}, ELSEWHERE] : [{}]) {
        const squares = await squaresOf(row, equal, params)
        if (squares !== undefined) found.push({ mode: params === ELSEWHERE ? `${mode}, elsewhere` : mode, ...squares })
      }
    }
    expect(found).not.toEqual([])
    expect(found.filter(({ work, kept }) => work > most.work || kept > most.kept)).toEqual([])
  })
})
