import type { Collection, Query } from '@msw/data'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type * as z from 'zod'
import type { Key } from './source.js'

/** Points at one record of another table by its key, or at none. */
export interface OneRelation<Stored> {
  to: string
  kind: 'one'
  by: (record: Stored) => Key | null
}

/** Points at records of another table by their keys. */
export interface ManyRelation<Stored> {
  to: string
  kind: 'many'
  by: (record: Stored) => readonly Key[]
}

/** The records of another table that point here by a relation of theirs. */
export interface InverseRelation {
  to: string
  kind: 'many'
  inverse: string
}

export type Relation<Stored> = OneRelation<Stored> | ManyRelation<Stored> | InverseRelation

/** A kind of record: its shape, its key, and its relations. A relation that is named like a field takes its place. */
export interface TableDefinition<Stored extends object, Relations extends Record<string, Relation<Stored>>> {
  schema: z.ZodType<Stored>
  key: (record: Stored) => Key
  relations: Relations
}

/** Lets the relations be inferred exactly, with the record known from the schema. */
export function defineTable<Stored extends object, const Relations extends Record<string, Relation<Stored>>>(
  schema: z.ZodType<Stored>,
  rest: Omit<TableDefinition<Stored, Relations>, 'schema'>,
): TableDefinition<Stored, Relations> {
  return { schema, ...rest }
}

/** Any table. Method syntax, so that a table of any record fits. */
export interface AnyTable {
  schema: z.ZodType<object>
  key(record: object): Key
  relations: Readonly<Record<string, AnyRelation>>
}

export type AnyRelation =
  | { to: string; kind: 'one'; by(record: object): Key | null }
  | { to: string; kind: 'many'; by(record: object): readonly Key[] }
  | InverseRelation

export type AnyTables = Readonly<Record<string, AnyTable>>

type StoredIn<Table extends AnyTable> = z.output<Table['schema']>

/** Found records are frozen. Their lists stay `Array`: @msw/data looks into no other lists in its types. */
type ReadOnly<Value> = Value extends (infer Item)[]
  ? ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: ReadOnly<Value[Field]> }
    : Value

type Related<Tables extends AnyTables, Definition> = Definition extends {
  kind: 'one'
  by: (record: never) => infer Found
}
  ? RecordIn<Tables, TargetOf<Definition, Tables>> | Extract<Found, null>
  : RecordIn<Tables, TargetOf<Definition, Tables>>[]

type TargetOf<Definition, Tables> = Definition extends { to: infer To } ? Extract<To, keyof Tables> : never

/** A record as it is found: its stored fields, and the records that it is related to. */
export type RecordIn<Tables extends AnyTables, Name extends keyof Tables> = ReadOnly<
  Omit<StoredIn<Tables[Name]>, keyof Tables[Name]['relations']>
> & {
  readonly [Field in keyof Tables[Name]['relations']]: Related<Tables, Tables[Name]['relations'][Field]>
}

/** What `Collection` takes for a schema: what comes out is a record with its relations. */
export type RecordSchema<Found extends object> = StandardSchemaV1<unknown, Found>

/** A record of @msw/data. */
export type FoundRecord<Found extends object> = ReturnType<Collection<RecordSchema<Found>>['all']>[number]

export type FoundQuery<Found extends object> = Query<FoundRecord<Found>>
