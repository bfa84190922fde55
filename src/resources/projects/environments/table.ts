import * as z from 'zod'
import { nameRule } from '../../shared/checks.js'
import { defineTable } from '../../shared/table.js'
import { type EnvironmentRecord, environmentRecordSchema } from './schema.js'

/** An environment as a fixture may give it: only its name is needed. */
export const environmentFixtureSchema = z.strictObject({
  ...environmentRecordSchema.partial().shape,
  name: nameRule({ shortest: 1, longest: 100 }).schema,
  exists: z.boolean().optional().meta({ description: 'false: it is removed, from projects and features too' }),
  protected: z.boolean().optional(),
  requiredApprovals: z.int().nullable().optional(),
  projectCount: z.int().optional(),
  apiTokenCount: z.int().optional(),
  enabledToggleCount: z.int().optional(),
})

/** The record that a fixture means. */
export function completeEnvironment(given: z.infer<typeof environmentFixtureSchema>): EnvironmentRecord {
  return {
    name: given.name,
    type: given.type ?? (given.name === 'production' ? 'production' : 'development'),
    sortOrder: given.sortOrder ?? 9999,
    enabled: given.enabled ?? true,
  }
}

export const environmentTable = defineTable({
  record: environmentRecordSchema,
  keyName: 'an environment',
  key: ({ name }) => name,
  indexes: {},
  fixture: environmentFixtureSchema,
  isRemoval: ({ exists }) => exists === false,
  complete: completeEnvironment,
})
