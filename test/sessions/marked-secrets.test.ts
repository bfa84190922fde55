import { expect, it } from 'vitest'
import * as z from 'zod'
import { paramNames } from '../../src/service/contract/operation.js'
import { secretFields } from '../../src/service/contract/secrets.js'
import { addonTable, providers } from '../../src/service/resources/instance/addons.js'
import { tables } from '../../src/service/resources/tables.js'
import { rows } from '../support/requests.js'

// Only marked fields are hidden in the journal, the log and the panel, and a field is marked by hand.

/** A name that suggests a secret. */
const SUSPECT = /secret|password|token|key$|authorization|credential|(?:invite|reset)(?:link|\w*url)/i

/** Texts that aren't secret although their names suggest it. */
const HARMLESS: readonly { name: string; in: RegExp; because: string }[] = [
  { name: 'secret', in: /SignupToken|signupTokens/, because: 'it is a part of a link that is made to be passed on' },
  { name: ':token', in: /SignupToken/, because: 'it is the same secret' },
  { name: 'inviteLink', in: /SignupToken/, because: 'responses with users have an empty one' },
  { name: 'tokenName', in: /./, because: 'it is the display name of an API token' },
]

/** The fields of a shape that can hold a text, at any depth, each with its name. */
function* textsIn(schema: z.core.$ZodType, seen = new Set<unknown>()): Generator<[string, z.core.$ZodType]> {
  if (seen.has(schema)) return
  seen.add(schema)
  const { def } = (schema as z.core.$ZodTypes)._zod
  const fields = def.type === 'object' ? Object.entries(def.shape) : []
  for (const [name, field] of fields) if (holdsText(field)) yield [name, field]
  for (const inner of [...fields.map(([, field]) => field), ...partsOf(schema)]) yield* textsIn(inner, seen)
}

/** Whether a value can be a text, also inside a list. */
function holdsText(schema: z.core.$ZodType): boolean {
  const { type } = schema._zod.def
  return type === 'string' || type === 'unknown' || (type !== 'object' && partsOf(schema).some(holdsText))
}

/** The shapes around which, or of which, a shape is made. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodLazy) return [schema._zod.innerType]
  const parts = Object.entries(schema._zod.def).filter(([name]) => name !== 'shape' && name !== 'keyType')
  return parts.flatMap(([, part]) => part as z.core.$ZodType[]).filter((part) => part instanceof z.core.$ZodType)
}

const places = [
  ...rows.flatMap(({ id, body, query, success: { schema, view } }) =>
    [body, query, schema, ...Object.values(view ?? {}).map((of) => of.schema)].map((shape) => ({ place: id, shape })),
  ),
  ...Object.entries(tables).flatMap(([name, { record, fixture }]) =>
    [record, fixture].map((shape) => ({ place: `the table ${name}`, shape })),
  ),
]

function isHarmless(name: string, place: string): boolean {
  return HARMLESS.some((one) => one.name === name && one.in.test(place))
}

it('a string whose name suggests a secret is marked as one', () => {
  const found = places.flatMap(({ place, shape }) =>
    shape === undefined ? [] : [...textsIn(shape)].map(([name, field]) => ({ place, name, field })),
  )
  const suspects = found.filter(({ name }) => SUSPECT.test(name))
  expect(suspects.length).toBeGreaterThan(50)
  const open = suspects.filter(
    ({ place, name, field }) => secretFields(z.object({ [name]: field })).length === 0 && !isHarmless(name, place),
  )
  expect([...new Set(open.map(({ place, name }) => `${name} in ${place}`))]).toEqual([])
  for (const one of HARMLESS.filter(({ name }) => !name.startsWith(':'))) {
    expect(
      suspects.filter(({ name, place }) => name === one.name && one.in.test(place)),
      one.because,
    ).not.toEqual([])
  }
})

it('so is a part of a path', () => {
  const open = rows.flatMap(({ id, path, secretParams = [] }) =>
    paramNames(path).flatMap((name) =>
      SUSPECT.test(name) && !secretParams.includes(name) && !isHarmless(`:${name}`, id) ? [`:${name} in ${id}`] : [],
    ),
  )
  expect(open).toEqual([])
})

it('so is each sensitive parameter of an integration', () => {
  const sensitive = providers.flatMap(({ parameters = [] }) => parameters.filter((one) => one.sensitive))
  expect(sensitive.length).toBeGreaterThan(5)
  const names = new Set(sensitive.map(({ name }) => name))
  expect([...names].filter((name) => !secretFields(addonTable.record).includes(name))).toEqual([])
})
