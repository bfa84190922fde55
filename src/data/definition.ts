import type { Collection, Query } from '@msw/data'
import type * as z from 'zod'
import type { Key } from '../store/table.js'

/** Points at one record of another table by its key, or at none. */
interface OneRelation<Stored> {
  to: string
  kind: 'one'
  by: (record: Stored) => Key | null
}

/** Points at records of another table by their keys. */
interface ManyRelation<Stored> {
  to: string
  kind: 'many'
  by: (record: Stored) => readonly Key[]
}

/** The records of another table that point here by a relation of theirs. */
interface InverseRelation {
  to: string
  kind: 'many'
  inverse: string
}

export type Relation<Stored> = OneRelation<Stored> | ManyRelation<Stored> | InverseRelation

/** Any relation. Its methods take any record: they are only given those of their own table. */
export type AnyRelation =
  | { to: string; kind: 'one'; by(record: object): Key | null }
  | { to: string; kind: 'many'; by(record: object): readonly Key[] }
  | InverseRelation

/** A kind of record. A relation that is named like a field takes its place. */
export interface AnyTable {
  record: z.ZodType<object>
  key(record: object): Key
  relations: Readonly<Record<string, AnyRelation>>
}

export type AnyTables = Readonly<Record<string, AnyTable>>

/** Found records are frozen. Lists stay `Array`s, because @msw/data looks into no other lists in its types. */
type ReadOnly<Value> = Value extends (infer Item)[]
  ? ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: ReadOnly<Value[Field]> }
    : Value

/** A record as it is found: its stored fields, and the records that it is related to. */
export type RecordIn<Tables extends AnyTables, Name extends keyof Tables> = ReadOnly<
  Omit<z.output<Tables[Name]['record']>, keyof Tables[Name]['relations']>
> & {
  readonly [Field in keyof Tables[Name]['relations']]: Related<Tables, Tables[Name]['relations'][Field]>
}

/** A key that may be null makes a record that may be null. */
type Related<Tables extends AnyTables, Definition> = Definition extends {
  kind: 'one'
  by: (record: never) => infer Found
}
  ? RecordIn<Tables, TargetOf<Tables, Definition>> | Extract<Found, null>
  : RecordIn<Tables, TargetOf<Tables, Definition>>[]

type TargetOf<Tables, Definition> = Definition extends { to: infer To } ? Extract<To, keyof Tables> : never

/** What a collection takes for a schema: what comes out is a record with its relations. */
export type RecordSchema<Found extends object> = Pick<z.ZodType<Found>, '~standard'>

/** A record of @msw/data. */
export type FoundRecord<Found extends object> = ReturnType<Collection<RecordSchema<Found>>['all']>[number]

export type FoundQuery<Found extends object> = Query<FoundRecord<Found>>
