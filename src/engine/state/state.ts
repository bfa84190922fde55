import * as z from 'zod'
import { field } from '../../service/resources/shared/fields.js'
import {
  givenRecords,
  type RecordsById,
  type RecordsByName,
  type WholeRecords,
} from '../../service/resources/shared/merge-patch.js'
import type { AnyTableDefinition, TableDefinition } from '../../service/resources/shared/table.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import { StoreFull } from '../../service/store/collection.js'
import { type Contents, Database, type TablesOf } from '../../service/store/database.js'
import { deepCopy, type Frozen, type Thawed } from '../../support/freeze.js'
import { MockError } from '../errors/mock-errors.js'

type Kinds = typeof tables

/** The allowed forms for the records of a kind, by the shape of a record. */
type GivenBy<Fixture extends z.ZodType, Item = z.input<Fixture>> = Fixture extends z.ZodObject
  ? { id: number } extends Item
    ? RecordsById<Item>
    : RecordsByName<Item>
  : WholeRecords<Item>

type ListsOf = {
  [Name in keyof Kinds]: z.ZodOptional<z.ZodType<z.output<Kinds[Name]['fixture']>[], GivenBy<Kinds[Name]['fixture']>>>
}

const lists = Object.fromEntries(
  Object.entries(tables).map(([name, { fixture, meaning }]) => [
    name,
    field(givenRecords(fixture).optional(), meaning),
  ]),
) as unknown as ListsOf

/** The shape of a fixture file, and of the argument of `add` and `restore`. You can omit every list and most fields. */
export const stateSchema = z
  .strictObject({
    ...lists,
    $schema: field(z.string().optional(), 'The JSON schema, for editors.'),
    version: field(z.literal(1).optional(), 'The version of this format.'),
  })
  .meta({ id: 'state', description: 'Seed data. Every list is optional.' })

type ShownBy<Definition> =
  Definition extends TableDefinition<infer _Item, infer _Key, infer _Index, infer _Fixture, infer Shown> ? Shown : never

/** A snapshot: every list, every field. It has the same shape as a fixture. */
export type State = { version: 1 } & { [Name in TableName]: Thawed<ShownBy<Kinds[Name]>>[] }

/**
 * The same data as TypeScript types imported JSON: any text in place of a union of texts, and lists whose items lack
 * fields of other items. The mock checks the data on use.
 */
export type AsJson<Given> = Given extends string
  ? string extends Given
    ? Given
    : Given | (string & {})
  : Given extends number
    ? number
    : Given extends object
      ? { [Field in keyof Given]: AsJson<Given[Field]> | (string extends Field ? undefined : never) }
      : Given

export class WorldData extends Database<typeof tables> {
  constructor(contents?: Contents) {
    super(tables, contents)
  }

  /** Throws `TOO_MUCH_DATA`, and changes nothing, if a world would exceed its limits. */
  override transact<Result>(run: (tables: TablesOf<Kinds>) => Result, isKept?: boolean): Result {
    try {
      return super.transact(run, isKept)
    } catch (error) {
      if (!(error instanceof StoreFull)) throw error
      const { message, hint = 'Remove some of them, or start over: POST /__mock/reset.' } = error
      throw new MockError('TOO_MUCH_DATA', message, hint)
    }
  }
}

/** The contents of a world, as a mutable copy in plain JSON. */
export function takeSnapshot(data: WorldData): State {
  return deepCopy(shownState(data)) as State
}

/** The contents of a world, read-only: they share the world's records. */
export function shownState({ tables: stored }: WorldData): object {
  const shown = Object.entries(tables).map(([name, definition]) => {
    const { show }: AnyTableDefinition = definition
    const records: readonly Frozen<object>[] = stored[name as TableName].list()
    return [name, show === undefined ? records : records.map((record) => show(record, stored))]
  })
  return { version: 1, ...Object.fromEntries(shown) }
}
