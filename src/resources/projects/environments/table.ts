import * as z from 'zod'
import { nameRule } from '../../shared/checks.js'
import { openEnum } from '../../shared/schema.js'
import { defineTable } from '../../shared/table.js'
import { environmentRecordSchema } from './schema.js'

export const environmentTable = defineTable({
  record: environmentRecordSchema,
  keyName: 'an environment',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.strictObject({
    ...environmentRecordSchema.partial().shape,
    /** Its name. */
    name: nameRule({ shortest: 1, longest: 100 }).schema,
    /** Its type. Default: `development`. */
    type: openEnum<'development' | 'test' | 'preproduction' | 'production'>().optional(),
    /** False removes it, from projects and features too. */
    exists: z.boolean().optional().meta({ description: 'false: it is removed, from projects and features too' }),
    /** Always false, as responses have it. */
    protected: z.boolean().optional(),
    /** Always null, as responses have it. */
    requiredApprovals: z.int().nullable().optional(),
    /** The number of its projects. It must agree with `projects`. */
    projectCount: z.int().optional(),
    /** The number of its API tokens. It must agree with `apiTokens`. */
    apiTokenCount: z.int().optional(),
    /** The number of features that are on in it. It must agree with `features`. */
    enabledToggleCount: z.int().optional(),
  }),
  isRemoval: ({ exists }) => exists === false,
  complete: (given) => ({
    name: given.name,
    type: given.type ?? (given.name === 'production' ? 'production' : 'development'),
    sortOrder: given.sortOrder ?? 9999,
    enabled: given.enabled ?? true,
  }),
})
