import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { Ids } from '../../../support/ids.js'
import type { DataFault } from '../../contract/mock-errors.js'
import type { Key, TableKeys } from '../../store/table.js'
import { completed, type GivenShape, givenShape, type Whole } from './fields.js'
import type { Patch } from './merge-patch.js'
import { fixtureInstant } from './schema.js'

/** Records of one kind: those that are loaded and, while state is being loaded, those that come with it. */
export interface Known<Item> {
  get(key: Key): Frozen<Item> | undefined
  list(): readonly Frozen<Item>[]
}

/** The kinds of records that others are completed or shown with, and what is used of them. */
export interface KnownRecords {
  environments: Known<{ name: string; sortOrder: number }>
  projects: Known<{ environments: string[] }>
  users: Known<{ id: number; name: string | null; username: string | null; email: string | null }>
  roles: Known<{ id: number; type: string; name: string; description: string; project: string | null }>
}

export interface WorldContext {
  now: Date
  ids: Ids
}

/**
 * What the completion of a fixture may use: the clock and the ids of its world, and the records of the kinds that are
 * completed before its own. Users are before projects, so a user can't look up projects (`FIRST` in state/load-state.ts).
 */
export type FixtureContext = WorldContext & KnownRecords

/** A record that another one points at. */
export interface Reference {
  /** Where the key stands in the record that points: `environments[0].name`. */
  at: string
  /** Where a name may stand in its place: `environments[0].title`. */
  orAt?: string
  /** The table that is pointed at. */
  to: string
  key: Key
  /** The service checks it only when it is written: what is stored may point at something that was removed since. */
  onWriting?: boolean
}

/** What `faults` may look at besides the record. */
export interface FaultContext<Item, Given> {
  /** The record as it was given, with what it leaves out. */
  given: Given
  /** All records of this kind that there will be. */
  known: Known<Item>
}

/**
 * What a kind of record says besides its shape. Given state is loaded in these steps (state/load-state.ts), each for all kinds:
 *
 * 1. Its shape is checked: `fixture`, which is made from `record` and `more`.
 * 2. Records are told apart by `givenKey`, or `key`. Those that are to be removed (by null, or `isRemoval`) go, with the
 *    entries of lists that point at them (`references`).
 * 3. The others are completed, kind by kind. Each is merged into the stored one as a snapshot shows it (`show`), after what
 *    it `implies`. `complete` makes a record of that: from the fields and `own`, unless the table has its own.
 * 4. Faults are looked for: `key` given twice, a value of an index in `unique` that another record has, `references` that
 *    point nowhere, `faults`, and then fields that contradict what they follow from (state/derived.ts).
 * 5. All is put in place in one step, by its `indexes`.
 */
interface TableRules<Item extends object, ItemKey extends Key, Index extends string, Fixture extends z.ZodType, Shown> {
  key(record: Frozen<Item>): ItemKey
  /** Its key as an error message calls it: `a project`, `the id of a user`. */
  keyName: string
  /** A name by which others may point at a record, beside its key. */
  nameOf?(record: Frozen<Item>): string | null
  /** The key of a record as it is given. Default: that of the given fields alone. */
  givenKey?(given: z.output<Fixture>, context: WorldContext): ItemKey
  /** Indexes under whose values there may be only one record each, with what a message calls them. */
  unique?: Readonly<Partial<Record<NoInfer<Index>, string>>>
  /** What a given record changes by implication in the stored one, as a snapshot shows it: a patch that is merged first. */
  implies?(shown: NoInfer<Shown>, given: Patch<z.output<Fixture>>): object
  /** Whether a record is given only to be removed. */
  isRemoval?(given: z.output<Fixture>): boolean
  /** All that a record points at. State in which something points nowhere is rejected. */
  references?(record: Frozen<Item>): Iterable<Reference>
  /** What else is wrong with a record, each fault with its path below the record. */
  faults?(record: Frozen<Item>, context: FaultContext<Item, z.output<Fixture>>): Iterable<DataFault>
  /** The record as a snapshot shows it. Default: as it is stored. */
  show?(record: Frozen<Item>, known: KnownRecords): Shown
}

/** Everything about one kind of record: how it is stored, given, completed, checked and shown. */
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
  /** The shape of a record as a fixture may give it. */
  fixture: Fixture
  /** Fills in what a fixture leaves out. */
  complete(given: z.output<Fixture>, context: FixtureContext): NoInfer<Item> | Frozen<NoInfer<Item>>
}

/** A kind of record whose fields say how they are given, and what they are if they are left out. */
interface FieldsDefinition<
  Shape extends z.ZodRawShape,
  ItemKey extends Key,
  Index extends string,
  More extends z.ZodRawShape,
  Shown,
> extends TableRules<Whole<Shape>, ItemKey, Index, FixtureOf<Shape, More>, Shown> {
  indexes?: TableKeys<Whole<Shape>, ItemKey, Index>['indexes']
  record: z.ZodObject<Shape>
  /** What else may be given, such as the fields that responses have. */
  more?: More
  /** The fields that follow from other records, or that are stored otherwise than they are given. */
  own?(
    given: NoInfer<z.output<FixtureOf<Shape, More>>>,
    context: FixtureContext,
  ): Partial<Frozen<NoInfer<Whole<Shape>>>>
  fixture?: undefined
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

/** The key of nothing, for a name that nothing has. So the reference is reported. */
const NOTHING = 0

/** The ids in a list of records by their names. Thousands of records may name users, and there may be thousands of these. */
const idsByName = new WeakMap<readonly unknown[], ReadonlyMap<string | null, number>>()

/** The id of a record that is given by its id or its name. */
export function idOf<Item extends { id: number }>(
  given: number | string,
  known: Known<Item>,
  nameOf: (record: Frozen<Item>) => string | null,
): number {
  if (typeof given === 'number') return given
  const records = known.list()
  let ids = idsByName.get(records)
  if (ids === undefined) {
    ids = new Map(records.map((record) => [nameOf(record), record.id]))
    idsByName.set(records, ids)
  }
  return ids.get(given) ?? NOTHING
}

/**
 * Types the declaration of a kind of record. The list of all of them is `resources/tables.ts`. A record is given and
 * completed as its fields say, unless the declaration has a `fixture` and `complete` of its own.
 */
export function defineTable<
  Shape extends z.ZodRawShape,
  ItemKey extends Key,
  Index extends string = never,
  More extends z.ZodRawShape = Record<never, never>,
  Shown = Whole<Shape>,
>(
  definition: FieldsDefinition<Shape, ItemKey, Index, More, Shown>,
): TableDefinition<Whole<Shape>, ItemKey, Index, FixtureOf<Shape, More>, Shown>
export function defineTable<
  Item extends object,
  ItemKey extends Key,
  Index extends string,
  Fixture extends z.ZodType,
  Shown = Item,
>(
  definition: TableDefinition<Item, ItemKey, Index, Fixture, Shown>,
): TableDefinition<Item, ItemKey, Index, Fixture, Shown>
export function defineTable(definition: AnyFieldsDefinition | { fixture: z.ZodType }): object {
  if (definition.fixture !== undefined) return definition
  const { record, more, own, ...rules } = definition
  return {
    indexes: {},
    ...rules,
    record,
    fixture: z.strictObject({ ...givenShape(record), ...more }),
    complete: (given: Readonly<Record<string, unknown>>, context: FixtureContext) =>
      completed(record, given, context, own?.(given, context)),
  }
}

type AnyFieldsDefinition = FieldsDefinition<z.ZodRawShape, Key, string, z.ZodRawShape, unknown>

/** The instant that a fixture gives or, if it gives none, another value. */
export function instantOr<Other extends string | null>(
  given: string | null | undefined,
  other: Other,
  { now }: Pick<WorldContext, 'now'>,
): string | Other {
  return given === undefined || given === null ? other : fixtureInstant(given, now)
}
