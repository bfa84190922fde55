import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { fixtureInstant, fixtureInstantSchema, instantSchema } from './schema.js'

/** The type of a field in seed data, if it differs from the stored type. Only the type checker sees it. */
declare const givenAs: unique symbol
export interface GivenAs<As extends z.ZodType> {
  readonly [givenAs]: As
}

type MayBeLeftOut<Schema extends z.ZodType, As extends z.ZodType = Schema> = Schema & GivenAs<z.ZodOptional<As>>

/** How saved scenarios treat a field. */
export type Mark = 'written' | 'consequent' | 'whole'

/** The declaration of a field, as far as its schema doesn't contain it. */
interface Field {
  /** What the field says, as a sentence or two. */
  meaning?: string
  /** Its shape in seed data, if it differs. */
  as?: z.ZodType
  /** The default of an omitted field. */
  fallback?: unknown
  /** The default of an omitted field, if it depends on the other fields. */
  from?(given: object): unknown
  isInstant?: true
  mark?: Mark
  /** The texts that editors suggest. */
  suggested?: readonly string[]
}

/** A list of records inside a record, which is merged by the key field of its records. */
interface RecordList {
  key: string
  record: z.ZodObject
}

/** What schemas don't say of themselves. */
interface Facts {
  field?: Field
  list?: RecordList
  /** The fields of a record in their order, once it has been completed. */
  steps?: readonly FieldStep[]
}

const facts = new WeakMap<z.core.$ZodType, Facts>()

function note(schema: z.core.$ZodType, more: Facts): void {
  facts.set(schema, { ...facts.get(schema), ...more })
}

function fieldOf(schema: z.core.$ZodType): Field | undefined {
  return facts.get(schema)?.field
}

/** Declares a field. A schema that another field has already is copied. */
function add(schema: z.ZodType, field: Field): z.ZodType {
  const known = facts.get(schema)
  const own = known?.field === undefined ? schema : schema.clone()
  facts.set(own, { ...known, field: { ...known?.field, ...field } })
  return own
}

/** Declares the list of records of a schema. */
export function declareList(schema: z.core.$ZodType, list: RecordList): void {
  note(schema, { list })
}

export function listOf(schema: z.core.$ZodType): RecordList | undefined {
  return facts.get(schema)?.list
}

/** Declares a field, in its stored shape and in its shape in seed data. */
function declare(schema: z.ZodType, as: z.ZodType, field: Field): z.ZodType {
  const { meaning, fallback } = field
  return add(schema, { ...field, as: add(as, { ...(meaning && { meaning }), fallback }) })
}

/** A field without a default, and its meaning. */
export function field<Schema extends z.ZodType>(schema: Schema, meaning: string): Schema {
  return add(schema, { meaning }) as Schema
}

/** An optional field in seed data, with its default. */
export function optional<Schema extends z.ZodType>(
  schema: Schema,
  fallback: z.output<NoInfer<Schema>>,
  meaning: string,
): MayBeLeftOut<Schema> {
  return declare(schema, schema.optional(), { fallback, meaning }) as MayBeLeftOut<Schema>
}

/** An optional field in seed data with a default that depends on the other fields. Its meaning has to name the default. */
export function derived<Schema extends z.ZodType, GivenFields extends object, As extends z.ZodType = Schema>(
  schema: Schema,
  from: (given: GivenFields) => z.output<NoInfer<Schema>>,
  meaning: string,
  as?: As,
): MayBeLeftOut<Schema, As>
export function derived(
  schema: z.ZodType,
  from: (given: object) => unknown,
  meaning: string,
  as: z.ZodType = schema,
): z.ZodType {
  return declare(schema, as.optional(), { from, meaning })
}

/** A field with another shape in seed data: with a default, or completed by its table. */
export function given<Schema extends z.ZodType, As extends z.ZodType>(
  schema: Schema,
  as: As,
  fallback: z.output<NoInfer<Schema>>,
  meaning: string,
): MayBeLeftOut<Schema, As>
export function given<Schema extends z.ZodType, As extends z.ZodType>(
  schema: Schema,
  as: As,
  meaning: string,
): Schema & GivenAs<As>
export function given(schema: z.ZodType, as: z.ZodType, ...rest: [unknown, string] | [string]): z.ZodType {
  if (rest.length === 1) return declare(schema, as, { meaning: rest[0] })
  return declare(schema, as.optional(), { fallback: rest[0], meaning: rest[1] })
}

type Instant = typeof instantSchema
type InstantSchema = typeof fixtureInstantSchema

/** An optional instant in seed data. Its default is relative to the start of the world (`now`, `now+30d`), or null. */
export function instant(fallback: `now${string}`, meaning: string): MayBeLeftOut<Instant, InstantSchema>
export function instant(
  fallback: null,
  meaning: string,
): MayBeLeftOut<z.ZodNullable<Instant>, z.ZodNullable<InstantSchema>>
export function instant(fallback: undefined, meaning: string): MayBeLeftOut<z.ZodOptional<Instant>, InstantSchema>
export function instant(fallback: string | null | undefined, meaning: string): z.ZodType {
  const as = (fallback === null ? fixtureInstantSchema.nullable() : fixtureInstantSchema).optional()
  const field = { fallback, meaning, isInstant: true } as const
  if (fallback === null) return declare(instantSchema.nullable(), as, field)
  return declare(fallback === undefined ? instantSchema.optional() : instantSchema.clone(), as, field)
}

function mark<Schema extends z.ZodType>(schema: Schema, mark: Mark): Schema {
  note(schema, { field: { ...fieldOf(schema), mark } })
  return schema
}

/** A field that seed data can contain because responses do. It is left out: the mock computes it. */
export function computed<Schema extends z.ZodType>(schema: Schema, meaning: string): z.ZodOptional<Schema> {
  return field(schema.optional(), meaning) as z.ZodOptional<Schema>
}

/** Marks a field that Unleash writes when something happens, such as a creation. */
export function written<Schema extends z.ZodType>(schema: Schema): Schema {
  return mark(schema, 'written')
}

/** Marks a field that follows from changes of other fields. */
export function consequent<Schema extends z.ZodType>(schema: Schema): Schema {
  return mark(schema, 'consequent')
}

/** Marks a field that is completed as a whole, or not at all. */
export function whole<Schema extends z.ZodType>(schema: Schema): Schema {
  return mark(schema, 'whole')
}

/** The names of all fields of a record with a mark, at any depth. */
export function namesMarked(wanted: Mark, schema: z.core.$ZodType, name?: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const own = name !== undefined && fieldOf(schema)?.mark === wanted ? [name] : []
  if (def.type === 'object') {
    return [...own, ...Object.entries(def.shape).flatMap(([field, inner]) => namesMarked(wanted, inner, field))]
  }
  const inner =
    'innerType' in def ? def.innerType : 'element' in def ? def.element : 'valueType' in def ? def.valueType : undefined
  return inner === undefined ? own : [...own, ...namesMarked(wanted, inner as z.core.$ZodType)]
}

/** Any text; editors suggest the known texts. */
export function openEnum<const Known extends string>(
  known: readonly Known[],
): z.ZodType<string, Known | (string & {})> {
  const schema = z.string()
  note(schema, { field: { suggested: known } })
  return schema
}

/** The default of an omitted field; undefined if it varies, or if the field is required. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  return schema instanceof z.ZodOptional ? fieldOf(schema)?.fallback : undefined
}

/** The texts that editors suggest for a text. */
export function suggestedFor(schema: z.core.$ZodType): readonly string[] | undefined {
  return fieldOf(schema)?.suggested
}

/** The meaning of a field, with its default. */
export function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const meaning = fieldOf(schema)?.meaning
  const fallback = defaultOf(schema)
  if (meaning !== undefined) return fallback === undefined ? meaning : `${meaning} Default: ${inWords(fallback)}.`
  return 'innerType' in schema._zod.def ? descriptionOf(schema._zod.def.innerType as z.core.$ZodType) : undefined
}

function inWords(value: unknown): string {
  if (value === 'now') return 'the start of the world'
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return String(value)
  return Object.keys(value).length === 0 ? 'empty' : `\`${JSON.stringify(value)}\``
}

/** A rebuilt schema, with the field of the old one. */
export function asDeclared<Schema extends z.core.$ZodType>(schema: z.core.$ZodType, rebuilt: Schema): Schema {
  const field = fieldOf(schema)
  if (field !== undefined && rebuilt !== schema) note(rebuilt, { field })
  return rebuilt
}

/** The shape, at any depth, without unknown fields: in seed data they are typos. */
export function strictly<Schema extends z.core.$ZodType>(schema: Schema): Schema
export function strictly(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodArray) return asDeclared(schema, z.array(strictly(schema.def.element)))
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.clone({ ...schema.def, options: schema.options.map((option) => strictly(option)) })
  if (!(schema instanceof z.ZodObject)) return schema
  const shape = Object.entries(schema.shape).map(([name, field]) => [name, strictly(field)])
  return asDeclared(schema, z.strictObject(Object.fromEntries(shape)))
}

export type GivenShape<Shape> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends GivenAs<infer As> ? As : Shape[Name]
}

/** The fields of a record in seed data: all fields with a default are optional. */
export function givenShape<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const given = Object.entries(shape).map(([name, schema]) => [name, fieldOf(schema)?.as ?? schema])
  return Object.fromEntries(given) as GivenShape<Shape>
}

export type Whole<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/** Some fields of a record. Undefined fields are completed as declared. */
export type FieldsOf<Item> = { readonly [Field in keyof Item]?: Frozen<Item[Field]> | undefined }
type GivenFields<Shape extends z.ZodRawShape> = Frozen<z.output<z.ZodObject<GivenShape<Shape>>>>
type OrNull<Fields> = { [Name in keyof Fields]: Fields[Name] | (undefined extends Fields[Name] ? null : never) }

interface FieldStep {
  name: string
  field: Field | undefined
}

function readSteps(record: z.ZodObject): readonly FieldStep[] {
  const steps = Object.entries(record.shape).map(([name, schema]) => ({ name, field: fieldOf(schema) }))
  note(record, { steps })
  return steps
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
  for (const { name, field } of facts.get(record)?.steps ?? readSteps(record)) {
    const sent = field === undefined ? given[name] : (given[name] ?? field.from?.(given) ?? field.fallback)
    if (own[name] !== undefined) made[name] = own[name]
    else if (sent !== undefined)
      made[name] = field?.isInstant && sent !== null ? fixtureInstant(String(sent), now) : sent
  }
  return made
}
