import * as z from 'zod'

/** How a list in a fixture is combined with the stored one. */
export interface GivenList {
  /** The field by which its items are known. Without one, only their positions are. */
  by?: string
  /** Whether a list that is given leaves the other items of the stored one alone. Default: it replaces them. */
  merges?: boolean
  /** The shape of an item; undefined for a list of names. */
  item?: z.ZodType
}

const givenLists = new WeakMap<z.core.$ZodType, GivenList>()

/** What `listOf` or `listOfNames` said about a schema; undefined for others. */
export function givenListOf(schema: z.core.$ZodType): GivenList | undefined {
  return givenLists.get(schema)
}

/** What a list may be given as: in its place, an object changes the items that it names. There, `null` removes one. */
export type GivenItems<Item> =
  | Item[]
  // The second index is for the list: without it, editors show no documentation in its items.
  | { [name: string]: Partial<Item> | null; [position: number]: Item | null }

/** The same where items are known by a number: their id, or their position. */
export type NumberedItems<Item, Change = Partial<Item>> = Item[] | { [number: string]: Change | null }

/** The same where each item has to be given whole. */
export type WholeItems<Item> = Item[] | { [name: string]: Item | null }

type ListOf<Item extends z.ZodType, Given> = z.ZodType<z.output<Item>[], Given>

/**
 * A list in a fixture. In its place an object may stand, `{ "production": { "enabled": true } }`: its names are those of
 * items, or their positions; `null` removes one. Such objects are resolved before the record is completed.
 */
export function listOf<Item extends z.ZodType>(
  item: Item,
  how: { by: 'id' },
): ListOf<Item, NumberedItems<z.input<Item>>>
export function listOf<Item extends z.ZodType>(
  item: Item,
  how?: Omit<GivenList, 'item'>,
): ListOf<Item, GivenItems<z.input<Item>>>
export function listOf(item: z.ZodType, how: Omit<GivenList, 'item'> = {}): z.ZodType {
  return register(item, () => (item instanceof z.ZodObject ? item.partial() : item), how)
}

/** The same for items of which an object has to give every field. */
export function listOfWhole<Item extends z.ZodType>(item: Item): ListOf<Item, WholeItems<z.input<Item>>> {
  const schema: z.ZodType = register(item, () => item, {})
  return schema as ListOf<Item, WholeItems<z.input<Item>>>
}

type Names = z.ZodType<string[], string[] | { [name: string]: boolean }>

/** A list of names. In its place an object may stand: `{ "production": false }` removes one, `true` adds one. */
export function listOfNames(): Names {
  const schema: z.ZodType = z.union([z.array(z.string()), z.record(z.string(), z.boolean())])
  givenLists.set(schema, {})
  return schema as Names
}

/** Most lists are given as lists, so the shape of the object is built only when one is given, or described. */
function register(item: z.ZodType, change: () => z.ZodType, how: GivenList): z.ZodType {
  const schema = z.union([
    z.array(item),
    z.record(
      z.string(),
      z.lazy(() => change().nullable()),
    ),
  ])
  givenLists.set(schema, { ...how, item })
  return schema
}
