import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { fixtureInstant, fixtureInstantSchema, instantSchema } from './schema.js'

/** How a field is given, where that differs from how it is stored. Only the type checker sees it. */
declare const givenAs: unique symbol
export interface GivenAs<As extends z.ZodType> {
  readonly [givenAs]: As
}

type MayBeLeftOut<Schema extends z.ZodType, As extends z.ZodType = Schema> = Schema & GivenAs<z.ZodOptional<As>>

interface FieldDeclaration {
  as: z.ZodType
  /** What it is if it is left out. */
  fallback?: unknown
  /** The same, where it depends on the other fields. */
  from?(given: object): unknown
  isInstant?: true
}

const fields = new WeakMap<z.core.$ZodType, FieldDeclaration>()
const defaults = new WeakMap<z.core.$ZodType, unknown>()

function add<Schema extends z.ZodType, As extends z.ZodType>(schema: Schema, field: FieldDeclaration & { as: As }) {
  fields.set(schema, field)
  if (field.fallback !== undefined) defaults.set(field.as, field.fallback)
  return schema as Schema & GivenAs<As>
}

/** What a field of given state is if it is left out; undefined if that isn't the same everywhere. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  return defaults.get(schema)
}

/** The same shape, built anew, with the default of the old one. */
export function withDefaultOf<Schema extends z.core.$ZodType>(schema: z.core.$ZodType, rebuilt: Schema): Schema {
  if (defaults.has(schema)) defaults.set(rebuilt, defaults.get(schema))
  return rebuilt
}

/**
 * A field of a record that may be left out when the record is given, and what it is then. What is completed field by field
 * for speed (features, their environments and strategies) says that again; a test compares the two.
 */
export function optional<Schema extends z.ZodType>(
  schema: Schema,
  fallback: z.output<NoInfer<Schema>>,
): MayBeLeftOut<Schema> {
  return add(schema, { as: schema.optional(), fallback })
}

/** The same for a field whose default follows from the other fields that are given. Its comment has to name it. */
export function derived<Schema extends z.ZodType, GivenFields extends object, As extends z.ZodType = Schema>(
  schema: Schema,
  from: (given: GivenFields) => z.output<NoInfer<Schema>>,
  as?: As,
): MayBeLeftOut<Schema, As>
export function derived(schema: z.ZodType, from: (given: object) => unknown, as = schema): z.ZodType {
  return add(schema, { as: as.optional(), from })
}

/** A field of a record that has another shape when it is given: with a default, or with one that its table fills in. */
export function given<Schema extends z.ZodType, As extends z.ZodType>(
  schema: Schema,
  as: As,
  fallback: z.output<NoInfer<Schema>>,
): MayBeLeftOut<Schema, As>
export function given<Schema extends z.ZodType, As extends z.ZodType>(schema: Schema, as: As): Schema & GivenAs<As>
export function given(schema: z.ZodType, as: z.ZodType, fallback?: unknown): z.ZodType {
  return add(schema, fallback === undefined ? { as } : { as: as.optional(), fallback })
}

type Instant = typeof instantSchema
type InstantSchema = typeof fixtureInstantSchema

/** An instant that may be left out. It is then this one, relative to the start of the world: `now`, `now+30d`. Or none. */
export function instant(fallback: `now${string}`): MayBeLeftOut<Instant, InstantSchema>
export function instant(fallback: null): MayBeLeftOut<z.ZodNullable<Instant>, z.ZodNullable<InstantSchema>>
export function instant(): MayBeLeftOut<z.ZodOptional<Instant>, InstantSchema>
export function instant(fallback?: string | null): z.ZodType {
  const as = (fallback === null ? fixtureInstantSchema.nullable() : fixtureInstantSchema).optional()
  const field = { as, fallback, isInstant: true } as const
  if (fallback === null) return add(instantSchema.nullable(), field)
  return add(fallback === undefined ? instantSchema.optional() : instantSchema.clone(), field)
}

export type GivenShape<Shape> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends GivenAs<infer As> ? As : Shape[Name]
}

/** The fields of a record as they may be given: all but those without a default may be left out. */
export function givenShape<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const given = Object.entries(shape).map(([name, schema]) => [name, fields.get(schema)?.as ?? schema])
  return Object.fromEntries(given) as GivenShape<Shape>
}

export type Whole<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>
type GivenFields<Shape extends z.ZodRawShape> = Frozen<z.output<z.ZodObject<GivenShape<Shape>>>>
type OrNull<Fields> = { [Name in keyof Fields]: Fields[Name] | (undefined extends Fields[Name] ? null : never) }

interface Step {
  name: string
  field: FieldDeclaration | undefined
}

const steps = new WeakMap<z.ZodObject, readonly Step[]>()

function stepsOf(record: z.ZodObject): readonly Step[] {
  let known = steps.get(record)
  if (known === undefined) {
    known = Object.entries(record.shape).map(([name, schema]) => ({ name, field: fields.get(schema) }))
    steps.set(record, known)
  }
  return known
}

/**
 * A record from what is given of it: what is left out, or null, has its default. `own` are the fields that do not
 * follow from the given ones alone.
 */
export function completed<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape>,
  given: OrNull<GivenFields<Shape>>,
  context: { now: Date },
  own?: Partial<Frozen<Whole<Shape>>>,
): Whole<Shape>
export function completed(
  record: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  { now }: { now: Date },
  own: Readonly<Record<string, unknown>> = {},
): object {
  const made: Record<string, unknown> = {}
  for (const { name, field } of stepsOf(record)) {
    const sent = field === undefined ? given[name] : (given[name] ?? field.from?.(given) ?? field.fallback)
    const value = own[name] === undefined ? sent : own[name]
    if (value === undefined) continue
    made[name] = field?.isInstant && typeof value === 'string' ? fixtureInstant(value, now) : value
  }
  return made
}
