import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { fixtureInstant, fixtureInstantSchema, instantSchema } from './schema.js'

/** The type of a field in seed data, if it differs from the stored type. Only the type checker sees it. */
declare const givenAs: unique symbol
export interface GivenAs<As extends z.ZodType> {
  readonly [givenAs]: As
}

type MayBeLeftOut<Schema extends z.ZodType, As extends z.ZodType = Schema> = Schema & GivenAs<z.ZodOptional<As>>

interface FieldDeclaration {
  as: z.ZodType
  /** The default of an omitted field. */
  fallback?: unknown
  /** The default of an omitted field, if it depends on the other fields. */
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

/** The default of an omitted field; undefined if it varies. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  return defaults.get(schema)
}

/** A rebuilt shape, with the default of the old shape. */
export function withDefaultOf<Schema extends z.core.$ZodType>(schema: z.core.$ZodType, rebuilt: Schema): Schema {
  if (defaults.has(schema)) defaults.set(rebuilt, defaults.get(schema))
  return rebuilt
}

/** An optional field in seed data, with its default. */
export function optional<Schema extends z.ZodType>(
  schema: Schema,
  fallback: z.output<NoInfer<Schema>>,
): MayBeLeftOut<Schema> {
  return add(schema, { as: schema.optional(), fallback })
}

/** An optional field in seed data with a default that depends on the other fields. Its comment has to name the default. */
export function derived<Schema extends z.ZodType, GivenFields extends object, As extends z.ZodType = Schema>(
  schema: Schema,
  from: (given: GivenFields) => z.output<NoInfer<Schema>>,
  as?: As,
): MayBeLeftOut<Schema, As>
export function derived(schema: z.ZodType, from: (given: object) => unknown, as = schema): z.ZodType {
  return add(schema, { as: as.optional(), from })
}

/** A field with another shape in seed data: with a default, or completed by its table. */
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

/** An optional instant in seed data. Its default is relative to the start of the world (`now`, `now+30d`), or null. */
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

/** The fields of a record in seed data: all fields with a default are optional. */
export function givenShape<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const given = Object.entries(shape).map(([name, schema]) => [name, fields.get(schema)?.as ?? schema])
  return Object.fromEntries(given) as GivenShape<Shape>
}

export type Whole<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/** Some fields of a record. Undefined fields are completed as declared. */
export type FieldsOf<Item> = { readonly [Field in keyof Item]?: Frozen<Item[Field]> | undefined }
type GivenFields<Shape extends z.ZodRawShape> = Frozen<z.output<z.ZodObject<GivenShape<Shape>>>>
type OrNull<Fields> = { [Name in keyof Fields]: Fields[Name] | (undefined extends Fields[Name] ? null : never) }

interface Step {
  name: string
  field: FieldDeclaration | undefined
}

const steps = new WeakMap<z.ZodObject, readonly Step[]>()

function readSteps(record: z.ZodObject): readonly Step[] {
  const read = Object.entries(record.shape).map(([name, schema]) => ({ name, field: fields.get(schema) }))
  steps.set(record, read)
  return read
}

/**
 * A record from seed data: omitted fields and nulls get their defaults. `own` are the fields that don't depend on the
 * given fields alone, in their stored form.
 */
export function completed<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape>,
  given: OrNull<GivenFields<Shape>>,
  context: { now: Date },
  own?: FieldsOf<Whole<Shape>>,
): Whole<Shape>
export function completed(
  record: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  { now }: { now: Date },
  own: Readonly<Record<string, unknown>> = {},
): object {
  const made: Record<string, unknown> = {}
  for (const { name, field } of steps.get(record) ?? readSteps(record)) {
    const sent = field === undefined ? given[name] : (given[name] ?? field.from?.(given) ?? field.fallback)
    if (own[name] !== undefined) made[name] = own[name]
    else if (sent !== undefined)
      made[name] = field?.isInstant && sent !== null ? fixtureInstant(String(sent), now) : sent
  }
  return made
}
