/**
 * Seed data is merged by JSON Merge Patch (RFC 7396): objects merge field by field, null removes, and everything else
 * replaces the old value. A list of records is merged like an object by their keys. `patchOf` is the shape of seed data,
 * `merge` merges it.
 */
import * as z from 'zod'
import { isObject } from '../../../support/json.js'
import { asDeclared, declareList, listOf } from './fields.js'

type Schema = z.core.$ZodType

/** The seed data for a value: optional fields can be null. Lists are replaced, so they are given whole. */
export type Patch<Value> = [Extract<Value, readonly unknown[]>] extends [never] ? PatchOfEach<Value> : Value

type PatchOfEach<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends object
    ? { [Field in keyof Value]: Patch<Value[Field]> | (IsRemovable<Field, Value[Field]> extends true ? null : never) }
    : Value

type IsRemovable<Field, Value> = string extends Field ? true : undefined extends Value ? true : false

/** Records in a list, or in an object by their names. There, null removes a record. */
export type Records<Item> =
  | Item[]
  // The second index is for editors: without it, they show no documentation in the items of the list. It says no more than
  // `object`, so that an object of `Object.fromEntries` fits.
  | { [name: string]: Partial<Item> | null; [position: number]: object | null }

/** Records with numeric keys, in a list or an object. */
export type NumberedRecords<Item, Change> = Item[] | { [number: string]: Change | null }

export type RecordsByName<Item> = Records<Patch<Item>>

export type RecordsById<Item> = NumberedRecords<Patch<Item>, Partial<Patch<Omit<Item, 'id'>>>>

/** Records that need every field even in an object. */
export type WholeRecords<Item> = Item[] | { [name: string]: Item | null }

/** A list of records inside a record, which is merged like an object by one of their fields. */
export function recordsBy<Record extends z.ZodObject>(key: string, record: Record) {
  const schema = givenRecords(record)
  declareList(schema, { key, record })
  return schema as z.ZodType<z.output<Record>[], RecordsByName<z.input<Record>>>
}

/**
 * The shape of seed records: a list, or an object of changes by key, in which null removes a record. It is built on first
 * use, because built-in records aren't checked again.
 */
export function givenRecords(record: Schema): z.ZodType {
  return z.lazy(() => {
    const given = patchOf(record)
    // Most seed records are in lists, so the shape of the object is built on first use.
    const change = z.lazy(() => z.nullable(given instanceof z.ZodObject ? given.partial() : given))
    return z.union([z.array(given), z.record(z.string(), change)])
  })
}

/** The shape of a value in seed data: optional fields can be null. It is built once. */
export function patchOf(schema: Schema): Schema {
  return formOf(schema).patch
}

function makePatch(schema: Schema): Schema {
  if (schema instanceof z.ZodOptional) return z.optional(orNull(patchOf(schema.def.innerType)))
  if (schema instanceof z.ZodNullable) return z.nullable(patchOf(schema.def.innerType))
  if (schema instanceof z.ZodRecord) return z.record(schema.def.keyType, orNull(patchOf(schema.def.valueType)))
  if (!(schema instanceof z.ZodObject)) return schema
  const shape = Object.entries(schema.shape).map(([name, field]) => [name, patchOf(field)] as const)
  const isChanged = shape.some(([name, field]) => field !== schema.shape[name])
  return isChanged ? schema.extend(Object.fromEntries(shape)) : schema
}

function orNull(schema: Schema): Schema {
  return takesNull(schema) ? schema : z.nullable(schema)
}

/** Doesn't check lists and objects: it would build the shapes of their contents, which few mocks need. */
function takesNull(schema: Schema): boolean {
  if (schema instanceof z.ZodLazy) return takesNull(schema._zod.innerType)
  if (schema instanceof z.ZodOptional) return takesNull(schema.def.innerType)
  if (schema instanceof z.ZodUnion) return schema.options.some(takesNull)
  const isContainer = schema instanceof z.ZodArray || schema instanceof z.ZodObject || schema instanceof z.ZodRecord
  return !isContainer && z.safeParse(schema, null).success
}

/** The way to merge a value, from its schema. Its parts are built on first use, because the first mock of a process needs few. */
class Form {
  readonly is: 'value' | 'object' | 'records'
  /** With `optional` and `nullable`. */
  readonly #whole: Schema
  readonly #schema: Schema
  readonly #fields = new Map<string, Form>()
  #takesNull: boolean | undefined
  #patch: Schema | undefined

  constructor(whole: Schema) {
    this.#whole = whole
    this.#schema = unwrapped(whole)
    const isObject = this.#schema instanceof z.ZodRecord || this.#schema instanceof z.ZodObject
    this.is = listOf(this.#schema) !== undefined ? 'records' : isObject ? 'object' : 'value'
  }

  /** The shape of the value in seed data. */
  get patch(): Schema {
    this.#patch ??= asDeclared(this.#whole, makePatch(this.#whole))
    return this.#patch
  }

  /** Whether null is a value. Otherwise it removes the field. */
  get takesNull(): boolean {
    this.#takesNull ??= takesNull(this.#whole)
    return this.#takesNull
  }

  /** The names of the fields that an object always needs. */
  get required(): readonly string[] {
    if (!(this.#schema instanceof z.ZodObject)) return []
    return Object.entries(this.#schema.shape).flatMap(([name, field]) => (field instanceof z.ZodOptional ? [] : [name]))
  }

  /** The key field of the records in a list, and their form. */
  get list(): { key: string; record: Form } {
    const { key = '', record = this.#schema } = listOf(this.#schema) ?? {}
    return { key, record: formOf(record) }
  }

  field(name: string): Form {
    const known = this.#fields.get(name)
    if (known !== undefined) return known
    const schema = this.#schema
    if (schema instanceof z.ZodRecord) return formOf(schema.def.valueType)
    const field = schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
    if (field === undefined) return VALUE
    const form = formOf(field)
    this.#fields.set(name, form)
    return form
  }
}

function unwrapped(schema: Schema): Schema {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.def.innerType) : schema
}

const VALUE = new Form(z.unknown())

const forms = new WeakMap<Schema, Form>()

function formOf(schema: Schema): Form {
  let form = forms.get(schema)
  if (form === undefined) {
    form = new Form(schema)
    forms.set(schema, form)
  }
  return form
}

/** A stored value (or undefined) merged with seed data, under the schema of complete seed data. */
export function merge(schema: Schema, stored: unknown, given: unknown): unknown {
  return mergeAs(formOf(schema), stored, given)
}

/**
 * The reverse of `merge`: the patch from one value to another. Undefined for equal values. It can't express a different
 * order, nor the removal of a field that accepts null.
 */
export function difference(schema: Schema, before: unknown, after: unknown): unknown {
  return differenceAs(formOf(schema), before, after)
}

function differenceAs(form: Form, before: unknown, after: unknown): unknown {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  if (form.is === 'records') {
    const { key, record } = form.list
    return changesOf(new Map(byKey(before, key)), new Map(byKey(after, key)), () => record)
  }
  if (form.is === 'value' || !isObject(before) || !isObject(after)) return after
  const changes = changesOf(new Map(Object.entries(before)), new Map(Object.entries(after)), (name) => form.field(name))
  for (const [name, change] of Object.entries(changes)) {
    changes[name] = withRequired(form.field(name), change, after[name])
  }
  return changes
}

/** The changes in an object inside a record, with the fields that such an object always needs. */
function withRequired(form: Form, change: unknown, after: unknown): unknown {
  if (form.is !== 'object' || !isObject(change) || !isObject(after)) return change
  return { ...Object.fromEntries(form.required.map((name) => [name, after[name]])), ...change }
}

function changesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  formOfEach: (name: string) => Form,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const name of before.keys()) if (!after.has(name)) changes[name] = null
  for (const [name, value] of after) {
    const change = before.has(name) ? differenceAs(formOfEach(name), before.get(name), value) : value
    if (change !== undefined) changes[name] = change
  }
  return changes
}

function mergeAs(form: Form, stored: unknown, given: unknown): unknown {
  if (form.is === 'records') return mergeRecords(form.list, stored, given)
  if (form.is === 'value' || !isObject(given)) return given
  // Nearly all seed data is new and whole, and can have hundreds of thousands of records.
  if (stored === undefined && isWhole(form, given)) return given
  const merged = new Map(isObject(stored) ? Object.entries(stored) : [])
  for (const [name, value] of Object.entries(given)) {
    const field = form.field(name)
    if (value === null && !field.takesNull) merged.delete(name)
    else if (value !== undefined) merged.set(name, mergeAs(field, merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

/** A list of records, merged like an object by key. */
function mergeRecords({ key, record }: Form['list'], stored: unknown, given: unknown): unknown[] {
  const merged = new Map(byKey(stored, key))
  for (const [name, value] of isObject(given) ? Object.entries(given) : byKey(given, key)) {
    if (value === null) merged.delete(name)
    else if (isObject(value)) merged.set(name, mergeAs(record, merged.get(name), { [key]: name, ...value }))
  }
  return [...merged.values()]
}

function byKey(records: unknown, key: string): (readonly [string, unknown])[] {
  return Array.isArray(records) ? records.filter(isObject).map((record) => [String(record[key]), record]) : []
}

function isWholeList(record: Form, given: readonly unknown[]): boolean {
  return given.every((one) => isWhole(record, one))
}

/** Whether a value needs no removals and no conversions to lists. */
function isWhole(form: Form, given: unknown): boolean {
  if (form.is === 'records') return Array.isArray(given) && isWholeList(form.list.record, given)
  if (form.is === 'value' || !isObject(given)) return true
  for (const name in given) {
    const field = form.field(name)
    if (given[name] === null ? !field.takesNull : !isWhole(field, given[name])) return false
  }
  return true
}
