import * as z from 'zod'
import { field } from './fields.js'
import { object } from './object.js'
import { idSchema } from './schema.js'
import { defineTable } from './table.js'

/** The kinds of records with numeric IDs. */
const numbered = ['users', 'segments', 'addons', 'integrationEvents'] as const

export type NumberedKind = (typeof numbered)[number]

const sequenceSchema = object(() => ({
  name: field(z.enum(numbered), 'The kind of records: `users`, `segments`, `addons` or `integrationEvents`.'),
  last: field(idSchema.min(0), 'The highest ID of a removed record.'),
}))

export type Sequence = z.infer<typeof sequenceSchema>

/** IDs of removed records, which are never used again. */
export const sequenceTable = defineTable({
  meaning: 'The highest IDs of removed records, which are never used again.',
  record: sequenceSchema,
  keyName: 'a kind of numbered records',
  key: ({ name }) => name,
})

/** Sequences that include the IDs of stored and of removed records. */
export function sequencesAfter(
  given: readonly Sequence[],
  removed: Readonly<Record<string, readonly (number | string)[] | undefined>>,
  stored: readonly Sequence[],
): Sequence[] {
  const retired = numbered.flatMap((name) => (removed[name] ?? []).map((id) => ({ name, last: Number(id) })))
  const after = new Map(given.map((one) => [one.name, one]))
  for (const one of retired) after.set(one.name, latest(one, after.get(one.name)))
  return [...after.values()].map((one) =>
    stored.reduce((known, other) => (known.name === other.name ? latest(known, other) : known), one),
  )
}

export function latest(one: Sequence, other: Sequence | undefined): Sequence {
  return { name: one.name, last: Math.max(one.last, other?.last ?? 0) }
}
