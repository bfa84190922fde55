import fc from 'fast-check'
import * as z from 'zod'
import type { PartialState } from '../../src/index.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { paramNames } from '../../src/service/contract/operation.js'
import { ADMIN, EDITOR } from './adapters.js'
import { BODIES, exampleName, KEYS, MORE, QUERIES } from './example-requests.js'

/** A personal access token of the admin: some operations need a user. */
export const ADMIN_USER = 'user:any-admin'

/** Additions to the default scenario's data, so that requests find records. */
export const MEETING: PartialState = {
  ...MORE,
  features: {
    ...MORE.features,
    'dark-mode': { name: 'dark-mode', dependencies: [{ feature: 'legacy-export' }] },
  },
  environments: [{ name: 'qa' }],
  contextFields: {
    ...MORE.contextFields,
    region: { name: 'region', project: 'default', legalValues: [{ value: 'eu' }] },
  },
  apiTokens: [
    { secret: ADMIN_USER, type: 'user', userId: 1 },
    { secret: 'default:development.spare', type: 'client', environment: 'development', projects: ['default'] },
  ],
}

/** Further values of path parameters, besides their examples. */
const OTHERS: Readonly<Record<string, string>> = {
  featureName: 'dark-mode',
  contextField: 'region',
  legalValue: 'eu',
  token: 'default:development.spare',
  environment: 'production',
  id: '2',
}

const strategy = { featureName: 'new', name: 'flexibleRollout', segments: [1], constraints: [], parameters: {} }
const imported = {
  features: [{ name: 'new' }, { name: 'checkout-redesign' }],
  featureStrategies: [strategy],
  featureEnvironments: [{ name: 'new', environment: 'development', enabled: true }],
  contextFields: [{ name: 'plan', legalValues: [{ value: 'gold' }] }],
  featureTags: [{ featureName: 'new', tagType: 'squad', tagValue: 'one' }],
  segments: [{ id: 1, name: 'staff' }],
  tagTypes: [{ name: 'squad', color: '#123abc' }],
  dependencies: [{ feature: 'new', dependencies: [{ feature: 'legacy-export' }] }],
  links: [{ feature: 'new', links: [{ url: 'https://example.com' }] }],
}
const password = { password: 'Correct-horse-7' }

/** Accepted bodies, for operations with a rejected example, or without one. */
const ACCEPTED: Readonly<Record<string, unknown>> = {
  ...BODIES,
  importToggles: { project: 'default', environment: 'development', data: imported },
  addEnvironmentToProject: { environment: 'qa' },
  validatePassword: password,
  validateUserPassword: password,
  changeUserPassword: password,
  changePassword: { token: 'reset-link', ...password },
  changeMyPassword: { ...password, confirmPassword: password.password, oldPassword: 'flagdouble' },
  getFrontendApiFeaturesWithPost: { context: { userId: '17', properties: { plan: 'gold' } } },
  updateApiToken: { expiresAt: '2027-01-31T12:00:00.000Z' },
}

/** An accepted body of an operation; undefined if unknown. */
export function acceptedBody({ id }: OperationRow): unknown {
  return Object.hasOwn(ACCEPTED, id) ? ACCEPTED[id] : undefined
}

/** An operation's path with the names of its example. */
export function examplePath({ path }: OperationRow): string {
  return filled(path, (name) => exampleName(path, name))
}

function filled(path: string, textFor: (name: string) => string): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => textFor(name))
}

/** A request of a property test: for an operation, by a caller. */
export interface AnyRequest {
  id: string
  method: string
  path: string
  key: string | undefined
  body: string | undefined
}

/** Names of nothing, of something in another place, or of JavaScript's own properties. */
const hostile = ['', '__proto__', 'constructor', 'toString', 'nowhere', '*', 'a b', '日本語', '../x', 'x'.repeat(300)]

/** Names in the world of the examples, so that requests find records. */
const known = [
  ...['default', 'mobile-app', 'development', 'production', 'checkout-redesign', 'legacy-export', 'archived-banner'],
  ...['half', 'wiki', 'simple', 'team', 'release', 'flexibleRollout', 'appName', 'userId', 'shop', 'staff', 'blue'],
  ...[
    'dark-mode',
    'qa',
    'region',
    'eu',
    'new-flag',
    'IN',
    'SEMVER_EQ',
    '50',
    '1',
    '2',
    '2027-01-01T12:00:00.000Z',
    'webhook',
    'feature-created',
  ],
  ...['admin@example.com', 'ada@example.com', 'Correct-horse-7', '#123abc', 'https://example.com'],
]

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...known) },
  { weight: 2, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
)
const number = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 100, 1000), fc.constantFrom(-1, 0.5, 2 ** 31, 1e300), fc.nat(9))
const anything: fc.Arbitrary<unknown> = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
  fc.dictionary(text, text, { maxKeys: 2 }),
)

type JsonSchema = z.core.JSONSchema._JSONSchema

/** Values for a JSON schema, most of them valid. */
function valueFor(schema: JsonSchema, root: z.core.JSONSchema.BaseSchema, depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return anything
  const { $ref, enum: values, const: constant, anyOf, oneOf, allOf } = schema
  if ($ref !== undefined) return depth > 6 ? anything : valueFor(target($ref, root), root, depth + 1)
  if (constant !== undefined) return fc.constant(constant)
  if (values !== undefined) return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, text)
  const options = anyOf ?? oneOf
  if (options !== undefined) return fc.oneof(...options.map((option) => valueFor(option, root, depth)))
  const [first] = allOf ?? []
  if (first !== undefined) return valueFor(first, root, depth)
  if (schema.type === 'array') return fc.array(itemOf(schema, root, depth), { maxLength: 2 })
  if (schema.type === 'object') return objectOf(schema, root, depth)
  if (schema.type === 'string') return text
  if (schema.type === 'number' || schema.type === 'integer') return number
  if (schema.type === 'boolean') return fc.boolean()
  return schema.type === 'null' ? fc.constant(null) : anything
}

function target($ref: string, root: z.core.JSONSchema.BaseSchema): JsonSchema {
  const name = $ref.split('/').at(-1) ?? ''
  return root.$defs?.[name] ?? root
}

function itemOf(
  { items }: z.core.JSONSchema.BaseSchema,
  root: z.core.JSONSchema.BaseSchema,
  depth: number,
): fc.Arbitrary<unknown> {
  return items === undefined || Array.isArray(items) ? anything : valueFor(items, root, depth + 1)
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: z.core.JSONSchema.BaseSchema,
  root: z.core.JSONSchema.BaseSchema,
  depth: number,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [name, valueFor(field, root, depth + 1)] as const)
  const own = fc.record(Object.fromEntries(fields), { requiredKeys: required })
  if (additionalProperties === false || (fields.length > 0 && additionalProperties === undefined)) return own
  const more = additionalProperties === undefined ? anything : valueFor(additionalProperties, root, depth + 1)
  // A property can be called `__proto__`: JSON.parse creates an ordinary property.
  const others = fc.array(fc.tuple(text, more), { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs))
  return fc.tuple(own, others).map(([one, other]) => ({ ...other, ...one }))
}

/** An example with one of its values replaced by anything. */
function nearly(example: unknown): fc.Arbitrary<unknown> {
  if (typeof example !== 'object' || example === null) return anything
  const places = Object.keys(example) as (keyof typeof example)[]
  const [place] = places
  if (place === undefined) return anything
  return fc.constantFrom(...places).chain((at) =>
    fc.oneof(anything, nearly(example[at])).map((value) => {
      const copy = structuredClone(example)
      Object.defineProperty(copy, at, { value, enumerable: true, configurable: true, writable: true })
      return copy
    }),
  )
}

function bodyOf(row: OperationRow): fc.Arbitrary<string | undefined> {
  if (row.body === undefined) return fc.constant(undefined)
  const schema = z.toJSONSchema(row.body, { io: 'input', unrepresentable: 'any' })
  const example = acceptedBody(row)
  const fitting = valueFor(schema, schema)
  const values = example === undefined ? [fitting] : [fc.constant(example), nearly(example), fitting, fitting]
  return fc.oneof(...values).map((value) => JSON.stringify(value))
}

function pathOf(row: OperationRow): fc.Arbitrary<string> {
  const names = paramNames(row.path)
  const values = names.map((name) => {
    const example = exampleName(row.path, name)
    return fc.oneof(
      { weight: 5, arbitrary: fc.constant(example) },
      { weight: 3, arbitrary: fc.constant(OTHERS[name] ?? example) },
      text.filter((value) => !/^\.*$/.test(value)),
    )
  })
  const query = new Map<string, string>(Object.entries(QUERIES)).get(row.id) ?? ''
  return fc
    .tuple(...values)
    .map((chosen) => filled(row.path, (name) => encodeURIComponent(chosen[names.indexOf(name)] ?? '')))
    .map((path) => path + query)
}

/** Requests for an operation, most of them valid, or nearly. */
function requestFor(row: OperationRow): fc.Arbitrary<AnyRequest> {
  const key = row.access === 'admin' ? fc.constantFrom(ADMIN, ADMIN_USER, EDITOR) : fc.constant(KEYS[row.access])
  return fc
    .record({ path: pathOf(row), body: bodyOf(row), key })
    .map((request) => ({ id: row.id, method: row.method, ...request }))
}

const rows = operations as readonly OperationRow[]
const canChange = ({ method, writes }: OperationRow) => method !== 'GET' || writes === true

/** Requests for all operations that can change something. */
export const anyWrite: fc.Arbitrary<AnyRequest> = fc.oneof(...rows.filter(canChange).map(requestFor))

/** Requests for all other operations. */
export const anyRead: fc.Arbitrary<AnyRequest> = fc.oneof(...rows.filter((row) => !canChange(row)).map(requestFor))
