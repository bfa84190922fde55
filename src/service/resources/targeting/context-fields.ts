import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { nameRule } from '../shared/checks.js'
import { computed, field, given, instant, optional, written } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { named, namedStrict } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

export const contextFieldName = nameRule({ shortest: 1, longest: 100 })

export const legalValueSchema = namedStrict('legalValueSchema', () => ({
  value: field(z.string().min(1, 'must not be empty'), 'The value.'),
  description: field(z.string().optional(), 'The description.'),
}))

/** A legal value in a request. The operation checks that it isn't empty. */
export const sentLegalValueSchema = namedStrict(
  'sentLegalValueSchema',
  () => legalValueSchema.extend({ value: z.string() }).shape,
)

export const contextFieldRecordSchema = object(() => ({
  name: given(z.string().min(1), contextFieldName.schema, 'The name, as used in constraints.'),
  description: optional(z.string().nullable(), null, 'The description.'),
  stickiness: optional(z.boolean(), false, 'Whether stickiness can use it.'),
  sortOrder: optional(z.int(), 0, 'The position in lists.'),
  legalValues: optional(z.array(legalValueSchema), [], 'The allowed values; empty for any.'),
  createdAt: written(instant('now', 'The time of creation.')),
  project: optional(z.string().nullable(), null, 'The project that it belongs to; null for all.'),
}))

export type ContextFieldRecord = z.infer<typeof contextFieldRecordSchema>

/** The fields of a project's record in responses: `project` only if it has one. Lists add the usage. */
export const answeredInProject = {
  project: z.string().optional(),
  usedInProjects: z.int().min(0).optional(),
  usedInFeatures: z.int().min(0).optional(),
}

/** A record that can belong to a project, in responses. */
export function presentInProject<Item extends { readonly project: string | null }>({ project, ...item }: Item) {
  return project === null ? item : { ...item, project }
}

export const contextFieldSchema = named(
  'contextFieldSchema',
  () => contextFieldRecordSchema.extend({ ...answeredInProject }).shape,
)

export const contextFieldsSchema = z.array(contextFieldSchema).meta({ id: 'contextFieldsSchema' })

/** The strategies that use a segment or a context field, with their places. */
export const usingStrategiesSchema = named('contextFieldStrategiesSchema', () => ({
  strategies: z.array(
    z.object({
      id: z.string(),
      featureName: z.string(),
      projectId: z.string(),
      environment: z.string(),
      strategyName: z.string(),
    }),
  ),
}))

export const updateContextFieldSchema = named('updateContextFieldSchema', () => ({
  description: z.string().optional(),
  stickiness: z.boolean().optional(),
  sortOrder: z.int().optional(),
  legalValues: z.array(sentLegalValueSchema).optional(),
}))

export const createContextFieldSchema = named(
  'createContextFieldSchema',
  () => updateContextFieldSchema.extend({ name: contextFieldName.schema, project: z.string().optional() }).shape,
)

export type LegalValues = Frozen<ContextFieldRecord['legalValues']>

/** A context field in a request. Only the name is required. */
export type ContextFieldInput = Frozen<z.output<typeof contextFieldTable.fixture>>

/** A context field from a request, in its event: as sent, without its position. */
export function sentFieldOf({ sortOrder: _, ...sent }: ContextFieldInput) {
  return { ...sent, stickiness: sent.stickiness ?? false }
}

/** The usage of a record, in seed data. */
export const usage = {
  usedInProjects: computed(z.int(), 'The number of projects with features that use it, computed from the features.'),
  usedInFeatures: computed(z.int(), 'The number of features that use it, computed from the features.'),
}

export const contextFieldTable = defineTable({
  meaning: 'Fields of the context. Only `name` is needed.',
  record: contextFieldRecordSchema,
  keyName: 'a context field',
  key: ({ name }) => name,
  more: usage,
  *references({ project }) {
    if (project !== null) yield { at: 'project', to: 'projects', key: project }
  },
})
