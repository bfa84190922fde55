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
  /** Its name, which constraints name. */
  name: contextFieldName.schema,
  /** The values that it can have. Default: any. */
  legalValues: listOf(legalValueSchema, { by: 'value' }).optional(),
  /** The number of projects with features that use it. It must agree with them. */
  usedInProjects: z.int().optional(),
  /** The number of features that use it. It must agree with them. */
  usedInFeatures: z.int().optional(),
  /** When it was created. Default: the start of the world. */
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
