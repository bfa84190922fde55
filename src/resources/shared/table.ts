import * as z from 'zod'
import type { DataFault } from '../../contract/mock-errors.js'
import type { AnyTableKeys, Key, TableKeys } from '../../store/table.js'
import type { Frozen } from '../../support/freeze.js'
import type { Ids } from '../../support/ids.js'
import type { RoleRecord } from '../people/roles/schema.js'
import type { UserRecord } from '../people/users/schema.js'
import type { EnvironmentRecord } from '../projects/environments/schema.js'
import type { ProjectRecord } from '../projects/projects/schema.js'
import { fixtureInstant } from './schema.js'

/** Records of one kind: those that are loaded and, while state is being loaded, those that come with it. */
export interface Known<Item> {
  get(key: Key): Frozen<Item> | undefined
  list(): readonly Frozen<Item>[]
}

/** The kinds of records that others are completed or shown with. */
export interface KnownRecords {
  environments: Known<EnvironmentRecord>
  projects: Known<ProjectRecord>
  users: Known<UserRecord>
  roles: Known<RoleRecord>
}

export type KnownKind = keyof KnownRecords

/** What the completion of a fixture may use: the clock and the ids of its world, and the records that its table needs. */
export type FixtureContext<Needs extends KnownKind = never> = { now: Date; ids: Ids } & Pick<KnownRecords, Needs>

/** A record that another one points at. */
export interface Reference {
  /** PermissionScope the key stands in the record that points: `environments[0].name`. */
  at: string
  /** The table that is pointed at. */
  to: string
  key: Key
}

/** Everything about one kind of record: how it is stored, given, completed, checked and shown. */
export interface TableDefinition<
  Item extends object,
  ItemKey extends Key,
  Index extends string,
  Fixture extends z.ZodType,
  Needs extends KnownKind,
  Shown,
> extends TableKeys<Item, ItemKey, Index> {
  /** The shape of a stored record. */
  record: z.ZodType<Item>
  /** Its key as an error message calls it: `a project`, `the id of a user`. */
  keyName: string
  /** The shape of a record as a fixture may give it. */
  fixture: Fixture
  /** The kinds of records that `complete` looks up. They are completed first. */
  needs?: readonly Needs[]
  /** Fills in what a fixture leaves out. */
  complete(given: z.output<Fixture>, context: FixtureContext<Needs>): NoInfer<Item> | Frozen<NoInfer<Item>>
  /** All that a record points at. State in which something points nowhere is rejected. */
  references?(record: Frozen<Item>): Iterable<Reference>
  /** What else is wrong with a record, each fault with its path below the record. */
  faults?(record: Frozen<Item>): Iterable<DataFault>
  /** The record as a snapshot shows it. Default: as it is stored. */
  show?(record: Frozen<Item>, known: KnownRecords): Shown
}

/** Any declaration, for code that handles all kinds of records alike. */
export interface AnyTableDefinition extends AnyTableKeys {
  keyName: string
  fixture: z.ZodType
  needs?: readonly KnownKind[]
  complete(given: unknown, context: object): Frozen<object>
  references?(record: Frozen<object>): Iterable<Reference>
  faults?(record: Frozen<object>): Iterable<DataFault>
  show?(record: Frozen<object>, known: KnownRecords): unknown
}

/** Types the declaration of a kind of record. The list of all of them is `resources/tables.ts`. */
export function defineTable<
  Item extends object,
  ItemKey extends Key,
  Index extends string,
  Fixture extends z.ZodType,
  Needs extends KnownKind = never,
  Shown = Item,
>(
  definition: TableDefinition<Item, ItemKey, Index, Fixture, Needs, Shown>,
): TableDefinition<Item, ItemKey, Index, Fixture, Needs, Shown> {
  return definition
}

/** The instant that a fixture gives or, if it gives none, another value. */
export function instantOr<Other extends string | null>(
  given: string | null | undefined,
  other: Other,
  { now }: Pick<FixtureContext, 'now'>,
): string | Other {
  return given === undefined || given === null ? other : fixtureInstant(given, now)
}

/** A field that responses contain and the model computes. Fixtures may contain it; it is ignored. */
export const derived = z.unknown().optional()
