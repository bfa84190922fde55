import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { listOf } from '../../shared/given-list.js'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr } from '../../shared/table.js'
import { createContextFieldRecord } from './rules.js'
import { type ContextFieldRecord, contextFieldName, contextFieldRecordSchema, legalValueSchema } from './schema.js'

/** A field of the context as a fixture may give it: only its name is needed. */
export const contextFieldFixtureSchema = z.strictObject({
  ...contextFieldRecordSchema.partial().shape,
  name: contextFieldName.schema,
  legalValues: listOf(legalValueSchema, { by: 'value' }).optional(),
  usedInProjects: z.int().optional(),
  usedInFeatures: z.int().optional(),
  createdAt: fixtureInstantSchema.optional(),
})

/** The record that a fixture means. */
export function completeContextField(
  given: z.infer<typeof contextFieldFixtureSchema>,
  context: FixtureContext,
): Frozen<ContextFieldRecord> {
  return createContextFieldRecord(given, instantOr(given.createdAt, context.now.toISOString(), context))
}

export const contextFieldTable = defineTable({
  record: contextFieldRecordSchema,
  keyName: 'a context field',
  key: ({ name }) => name,
  indexes: {},
  fixture: contextFieldFixtureSchema,
  complete: completeContextField,
  *references({ project }) {
    if (project !== null) yield { at: 'project', to: 'projects', key: project }
  },
})
