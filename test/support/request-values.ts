import fc from 'fast-check'
import * as z from 'zod'
import type { OperationRow } from '../../src/service/api/operations.js'
import { paramNames } from '../../src/service/contract/operation.js'
import { isObject } from '../../src/support/json.js'

/** The names of records that generated requests use. */
export interface Names {
  /** Texts in paths and bodies. */
  known: readonly string[]
  /** The likely values of a path parameter, the likeliest first. */
  likely(row: OperationRow, param: string): readonly [string, ...string[]]
  /** An accepted body of an operation; undefined if unknown. */
  accepted(row: OperationRow): unknown
  /** The queries of an operation, with the question mark. */
  queries?(row: OperationRow): readonly string[]
}

/** Names of nothing, of something in another place, or of JavaScript's own properties. */
const hostile = ['', '__proto__', 'constructor', 'toString', 'nowhere', '*', 'a b', '日本語', '../x', 'x'.repeat(300)]

const number = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 100, 1000), fc.constantFrom(-1, 0.5, 2 ** 31, 1e300), fc.nat(9))

type JsonSchema = z.core.JSONSchema._JSONSchema

/** A path with the values of its parameters. */
export function filled(path: string, textFor: (name: string) => string): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => textFor(name))
}

/** The reverse of `filled`: the values of the parameters of a path. */
export function namesIn(path: string, sent: string): Record<string, string> {
  const form = new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/?]+)')}`)
  const found = Object.entries(form.exec(sent)?.groups ?? {})
  return Object.fromEntries(found.map(([name, value]) => [name, decodeURIComponent(value)]))
}

const today = new Date().toISOString().slice(0, 10)
/** Values of query parameters, without the operator. */
const QUERY_VALUES: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '2', '3', '5'],
  offset: ['0', '1', '2'],
  query: ['flag', 'flag-b', 'simple', 'shop'],
  q: ['a', 'ed'],
  sortBy: ['name', 'type', 'createdAt', 'lastSeenAt', 'environment:development'],
  sortOrder: ['asc', 'desc'],
  project: ['default', 'other'],
  type: ['release', 'experiment', 'feature-created', 'feature-strategy-add'],
  state: ['stale', 'active'],
  lifecycle: ['initial', 'pre-live', 'live', 'completed', 'archived'],
  createdBy: ['1', '2'],
  tag: ['simple:checkout'],
  segment: ['staff'],
  status: ['development:enabled', 'production:disabled'],
  feature: ['flag-a', 'flag-b'],
  environment: ['development', 'production'],
  namePrefix: ['flag-a', 'f'],
  hoursBack: ['1', '24'],
  projectId: ['default'],
  ...Object.fromEntries(['createdAt', 'lastSeenAt', 'from', 'to'].map((name) => [name, [today]])),
  ...Object.fromEntries(
    ['favorite', 'archived', 'favoritesFirst', 'variantEnvironments'].map((name) => [name, ['true', 'false']]),
  ),
}

/** The paths and bodies of requests, most of them valid, or nearly. */
export class RequestValues {
  readonly #text: fc.Arbitrary<string>
  readonly #anything: fc.Arbitrary<unknown>

  constructor(readonly names: Names) {
    const text = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...names.known) },
      { weight: 2, arbitrary: fc.constantFrom(...hostile) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
    )
    this.#text = text
    this.#anything = fc.oneof(
      text,
      number,
      fc.boolean(),
      fc.constant(null),
      fc.array(text, { maxLength: 2 }),
      fc.dictionary(text, text, { maxKeys: 2 }),
    )
  }

  /** Values for a JSON schema, most of them valid. */
  #valueFor(schema: JsonSchema, root: z.core.JSONSchema.BaseSchema, depth = 0): fc.Arbitrary<unknown> {
    if (typeof schema === 'boolean') return this.#anything
    const { $ref, enum: values, const: constant, anyOf, oneOf, allOf } = schema
    if ($ref !== undefined) return depth > 6 ? this.#anything : this.#valueFor(target($ref, root), root, depth + 1)
    if (constant !== undefined) return fc.constant(constant)
    if (values !== undefined) return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, this.#text)
    const options = anyOf ?? oneOf
    if (options !== undefined) return fc.oneof(...options.map((option) => this.#valueFor(option, root, depth)))
    const [first] = allOf ?? []
    if (first !== undefined) return this.#valueFor(first, root, depth)
    if (schema.type === 'array') return fc.array(this.#itemOf(schema, root, depth), { maxLength: 2 })
    if (schema.type === 'object') return this.#objectOf(schema, root, depth)
    if (schema.type === 'string') return this.#text
    if (schema.type === 'number' || schema.type === 'integer') return number
    if (schema.type === 'boolean') return fc.boolean()
    return schema.type === 'null' ? fc.constant(null) : this.#anything
  }

  #itemOf(
    { items }: z.core.JSONSchema.BaseSchema,
    root: z.core.JSONSchema.BaseSchema,
    depth: number,
  ): fc.Arbitrary<unknown> {
    return items === undefined || Array.isArray(items) ? this.#anything : this.#valueFor(items, root, depth + 1)
  }

  #objectOf(
    { properties = {}, required = [], additionalProperties }: z.core.JSONSchema.BaseSchema,
    root: z.core.JSONSchema.BaseSchema,
    depth: number,
  ): fc.Arbitrary<unknown> {
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, this.#valueFor(field, root, depth + 1)] as const,
    )
    const own = fc.record(Object.fromEntries(fields), { requiredKeys: required })
    if (additionalProperties === false || (fields.length > 0 && additionalProperties === undefined)) return own
    const more =
      additionalProperties === undefined ? this.#anything : this.#valueFor(additionalProperties, root, depth + 1)
    // A property can be called `__proto__`: JSON.parse creates an ordinary property.
    const others = fc.array(fc.tuple(this.#text, more), { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs))
    return fc.tuple(own, others).map(([one, other]) => ({ ...other, ...one }))
  }

  /** An example with one of its values replaced by anything. */
  nearly(example: unknown): fc.Arbitrary<unknown> {
    if (typeof example !== 'object' || example === null) return this.#anything
    const places = Object.keys(example) as (keyof typeof example)[]
    const [place] = places
    if (place === undefined) return this.#anything
    return fc.constantFrom(...places).chain((at) =>
      fc.oneof(this.#anything, this.nearly(example[at])).map((value) => {
        const copy = structuredClone(example)
        Object.defineProperty(copy, at, { value, enumerable: true, configurable: true, writable: true })
        return copy
      }),
    )
  }

  body(row: OperationRow): fc.Arbitrary<string | undefined> {
    if (row.body === undefined) return fc.constant(undefined)
    const schema = z.toJSONSchema(row.body, { io: 'input', unrepresentable: 'any' })
    const example = this.names.accepted(row)
    const fitting = this.#valueFor(schema, schema)
    const fuller = fitting.map((more) => (isObject(more) && isObject(example) ? { ...more, ...example } : example))
    const values = example === undefined ? [fitting] : [fc.constant(example), this.nearly(example), fuller, fitting]
    return fc.oneof(...values).map((value) => JSON.stringify(value))
  }

  /** Some of the query parameters of an operation, with a question mark, or an empty text. */
  query({ id, query }: OperationRow): fc.Arbitrary<string> {
    if (id === 'getFrontendFeatures') return fc.constantFrom('', '?userId=17', '?userId=3&properties[plan]=gold')
    const { properties = {} } =
      query === undefined ? {} : z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
    const values = Object.entries(properties).flatMap(([name, schema]) => {
      const pattern = typeof schema === 'object' ? (schema.pattern ?? '') : ''
      const operators = /^\^\(?([A-Z_|]+)\)?:/u.exec(pattern)?.[1]?.split('|')
      return (QUERY_VALUES[name] ?? []).flatMap((value) =>
        (operators?.map((operator) => `${operator}:`) ?? ['']).map((before) => `${name}=${before}${value}`),
      )
    })
    if (values.length === 0) return fc.constant('')
    return fc
      .uniqueArray(fc.constantFrom(...values), { maxLength: 2, selector: (text) => text.split('=')[0] })
      .map((all) => {
        return all.length === 0 ? '' : `?${all.join('&')}`
      })
  }

  path(row: OperationRow): fc.Arbitrary<string> {
    const params = paramNames(row.path)
    const values = params.map((param) => {
      const [first, ...others] = this.names.likely(row, param)
      return fc.oneof(
        { weight: 5, arbitrary: fc.constant(first) },
        { weight: 3, arbitrary: fc.constantFrom(first, ...others) },
        this.#text.filter((value) => !/^\.*$/.test(value)),
      )
    })
    const queries = this.names.queries?.(row) ?? ['']
    return fc.tuple(fc.constantFrom(...queries), ...values).map(([query, ...chosen]) => {
      return filled(row.path, (name) => encodeURIComponent(chosen[params.indexOf(name)] ?? '')) + query
    })
  }
}

function target($ref: string, root: z.core.JSONSchema.BaseSchema): JsonSchema {
  const name = $ref.split('/').at(-1) ?? ''
  return root.$defs?.[name] ?? root
}
