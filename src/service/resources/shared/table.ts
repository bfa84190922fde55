import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { Ids } from '../../../support/ids.js'
import type { Key, TableKeys } from '../../store/table.js'
import { completed, type FieldsOf, type GivenShape, givenShape, type Whole } from './fields.js'
import type { Patch } from './merge-patch.js'
import { strictObject } from './object.js'
import { fixtureInstant } from './schema.js'

/** Records of one kind: the loaded records and, while state is loading, the new ones. */
export interface Known<Item> {
  get(key: Key): Frozen<Item> | undefined
  list(): readonly Frozen<Item>[]
}

export type NameOf<Item> = (record: Frozen<Item>) => string | null

/** Records that others can reference by a name. */
export interface KnownByName<Item> extends Known<Item> {
  /** The records by a name. The same map until a change: thousands of records can name users, and users can be as many. */
  by(nameOf: NameOf<Item>): ReadonlyMap<string | null, Frozen<Item>>
}

/** The kinds of records that others need for completion or presentation, as far as they use them. */
export interface KnownRecords {
  environments: Known<{ name: string; sortOrder: number }>
  projects: Known<{ environments: string[] }>
  users: Known<KnownUser>
  roles: Known<KnownRole>
}

interface KnownUser {
  id: number
  name: string | null
  username: string | null
  email: string | null
}

interface KnownRole {
  id: number
  type: string
  name: string
  description: string
  project: string | null
}

export interface WorldContext {
  now: Date
  ids: Ids
}

/**
 * The context for completing a fixture: the clock and the IDs of its world, and the records of the kinds that are
 * completed before. Users come before projects, so a user can't look up projects (`FIRST` in state/load-state.ts).
 */
export type FixtureContext = WorldContext &
  KnownRecords & { users: KnownByName<KnownUser>; roles: KnownByName<KnownRole> }

/** An error in seed data: its place, and the problem. */
export interface DataFault {
  /** `$.features[2].environments[0].name` */
  path: string
  message: string
}

/** A reference to another record. */
export interface Reference {
  /** The place of the key in the referencing record: `environments[0].name`. */
  at: string
  /** The place of a name instead of the key: `environments[0].title`. */
  orAt?: string
  /** The referenced table. */
  to: string
  key: Key
  /** Unleash checks it only on writing: stored records can have a reference to a removed record. */
  onWriting?: boolean
}

/** Finds errors in one record after the other. */
export interface FaultFinder<Item, Given> {
  /** The errors of a record, each with its path below the record. `given` is the record in seed data, with its omissions. */
  of(record: Frozen<Item>, given: Given): Iterable<DataFault>
}

/**
 * The rules of a kind of record besides its shape. Seed data is loaded in these steps (state/load-state.ts), each for all kinds:
 *
 * 1. Its shape is checked: `fixture`, which is made from `record` and `more`.
 * 2. Records are identified by `givenKey`, or `key`. Records to remove (null, or `isRemoval`) go, with the
 *    list entries that reference them (`references`).
 * 3. The others are completed, table by table. Each is merged into the stored one in a snapshot's form (`show`), after the patch that
 *    it `implies`. `complete` turns it into a record: from the fields and `own`, unless the table has its own.
 * 4. Errors are collected: a repeated `key`, a value of an index in `unique` that another record has, dangling
 *    `references`, and `faults`.
 * 5. All records are stored in one step, with their `indexes`.
 */
interface TableRules<Item extends object, ItemKey extends Key, Index extends string, Fixture extends z.ZodType, Shown> {
  /** What the records are, as a sentence or two. */
  meaning: string
  /** Whether the records only report events, so that a saved scenario leaves them out. */
  isReported?: true
  key(record: Frozen<Item>): ItemKey
  /** The name of the key in error messages: `a project`, `the id of a user`. */
  keyName: string
  /** A name by which others can reference a record, besides its key. */
  nameOf?(record: Frozen<Item>): string | null
  /** The key of a seed record. Default: by its fields alone. */
  givenKey?(given: z.output<Fixture>, context: WorldContext): ItemKey
  /** Unique indexes, with their names in messages. */
  unique?: Readonly<Partial<Record<NoInfer<Index>, string>>>
  /** The implied changes of a seed record to the stored record, in a snapshot's form: a patch that is merged first. */
  implies?(shown: NoInfer<Shown>, given: Patch<z.output<Fixture>>): object
  /** Whether a seed record only removes a record. */
  isRemoval?(given: z.output<Fixture>): boolean
  /** All references of a record. State with a dangling reference is rejected. */
  references?(record: Frozen<Item>): Iterable<Reference>
  /** Finds further errors in a load, with all future records of this kind. */
  faults?(known: Known<Item>): FaultFinder<Item, z.output<Fixture>>
  /** The record in a snapshot. Default: as stored. */
  show?(record: Frozen<Item>, known: KnownRecords): Shown
}

/** The declaration of a kind of record: its stored form, seed form, completion, checks and presentation. */
export interface TableDefinition<
  Item extends object,
  ItemKey extends Key,
  Index extends string,
  Fixture extends z.ZodType,
  Shown,
> extends TableRules<Item, ItemKey, Index, Fixture, Shown> {
  indexes: TableKeys<Item, ItemKey, Index>['indexes']
  /** The shape of a stored record. */
  record: z.ZodType<Item>
  /** The shape of a record in a fixture. */
  fixture: Fixture
  /** Completes omitted fields. */
  complete(given: z.output<Fixture>, context: FixtureContext): NoInfer<Item> | Frozen<NoInfer<Item>>
}

/** A kind of record whose fields define their seed form and their defaults. */
interface FieldsDefinition<
  Shape extends z.ZodRawShape,
  ItemKey extends Key,
  Index extends string,
  More extends z.ZodRawShape,
  Shown,
> extends TableRules<Whole<Shape>, ItemKey, Index, FixtureOf<Shape, More>, Shown> {
  indexes?: TableKeys<Whole<Shape>, ItemKey, Index>['indexes']
  record: z.ZodObject<Shape>
  /** Further allowed fields, such as those of responses. */
  more?: More
  /** The fields that depend on other records, or that are stored in another form. */
  own?(given: NoInfer<z.output<FixtureOf<Shape, More>>>, context: FixtureContext): FieldsOf<NoInfer<Whole<Shape>>>
}

type FixtureOf<Shape extends z.ZodRawShape, More extends z.ZodRawShape> = z.ZodObject<
  GivenShape<Shape> & More,
  z.core.$strict
>

/** Any declaration, for code that handles all kinds of records alike. */
export interface AnyTableDefinition
  extends Omit<TableDefinition<object, Key, string, z.ZodType, unknown>, 'complete' | 'show'> {
  complete(given: unknown, context: object): Frozen<object>
  show?(record: Frozen<object>, known: object): unknown
}

/** The key for an unknown name, so that the dangling reference is reported. */
const NOTHING = 0

/** The ID for a reference by ID or name. */
export function idOf<Item extends { id: number }>(
  given: number | string,
  known: KnownByName<Item>,
  nameOf: NameOf<Item>,
): number {
  return typeof given === 'number' ? given : (known.by(nameOf).get(given)?.id ?? NOTHING)
}

/** The declaration of a kind of record: its fields define the seed form and the completion. `resources/tables.ts` lists them all. */
export function defineTable<
  Shape extends z.ZodRawShape,
  ItemKey extends Key,
  Index extends string = never,
  More extends z.ZodRawShape = Record<never, never>,
  Shown = Whole<Shape>,
>(
  definition: FieldsDefinition<Shape, ItemKey, Index, More, Shown>,
): TableDefinition<Whole<Shape>, ItemKey, Index, FixtureOf<Shape, More>, Shown>
export function defineTable({ record, more, own, ...rules }: AnyFieldsDefinition): object {
  return {
    indexes: {},
    ...rules,
    record,
    fixture: strictObject(() => ({ ...givenShape(record), ...more })),
    complete: (given: Readonly<Record<string, unknown>>, context: FixtureContext) =>
      completed(record, given, context, own?.(given, context)),
  }
}

type AnyFieldsDefinition = FieldsDefinition<z.ZodRawShape, Key, string, z.ZodRawShape, unknown>

/** The instant in a fixture or, without it, another value. */
export function instantOr<Other extends string | null>(
  given: string | null | undefined,
  other: Other,
  { now }: Pick<WorldContext, 'now'>,
): string | Other {
  return given === undefined || given === null ? other : fixtureInstant(given, now)
}
