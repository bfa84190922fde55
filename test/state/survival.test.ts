import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { readJson } from '../../src/entries/files/json-file.js'
import { createMock, type PartialState, type State } from '../../src/index.js'
import { defaultOf, givenShape } from '../../src/service/resources/shared/fields.js'
import { tables } from '../../src/service/resources/tables.js'
import { FIXED } from '../support/adapters.js'

/** Values of a special form. All other texts are `1` and all other numbers 1, so that the records refer to each other. */
const special: Readonly<Record<string, unknown>> = { feature: 'parent', email: 'a@example.com', color: '#FF0000' }

/** A value that differs from the default, with every field of every object. */
function sampleOf(schema: z.core.$ZodType, fallback?: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return sampleOf(schema.def.innerType, fallback)
  if (schema instanceof z.ZodISODateTime) return '2025-01-02T03:00:00.000Z'
  if (schema instanceof z.ZodNumber) return 1
  if (schema instanceof z.ZodBoolean) return fallback !== true
  if (schema instanceof z.ZodEnum) return schema.options.find((option) => option !== fallback)
  if (schema instanceof z.ZodLiteral) return schema.value
  if (schema instanceof z.ZodArray) return [sampleOf(schema.def.element)]
  if (schema instanceof z.ZodRecord) return { 1: sampleOf(schema.def.valueType) }
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] as z.ZodType)
  if (!(schema instanceof z.ZodObject)) return '1'
  const fallbacks = givenShape(schema)
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    special[name] ?? sampleOf(field, defaultOf(fallbacks[name] ?? field)),
  ])
  return Object.fromEntries(fields)
}

/** The state of a mock that is restored from given data. */
function restored(given: unknown): State {
  const mock = createMock(FIXED)
  mock.restore(given as PartialState)
  return mock.state()
}

it('every field of every kind of record survives: seed, state, seed, file, state', async () => {
  const records = Object.fromEntries(Object.entries(tables).map(([name, { record }]) => [name, [sampleOf(record)]]))
  const first = restored({ ...records, features: [{ name: 'parent', project: '1' }, ...(records.features ?? [])] })
  const file = join(mkdtempSync(join(tmpdir(), 'flagdouble-')), 'state.json')
  writeFileSync(file, JSON.stringify(restored(first)))
  const last = restored(await readJson(file))
  expect({ ...last, features: last.features.slice(1) }).toMatchObject(records)
})
