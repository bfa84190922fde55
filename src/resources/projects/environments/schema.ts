import * as z from 'zod'

/** An environment of the service. */
export const environmentRecordSchema = z.object({
  name: z.string().min(1),
  type: z.string(),
  /** Its position in lists. */
  sortOrder: z.int(),
  /** Whether it is in use. Default: true. */
  enabled: z.boolean(),
})

export type EnvironmentRecord = z.infer<typeof environmentRecordSchema>

/** An environment on its own. */
export const briefEnvironmentSchema = environmentRecordSchema
  .extend({ protected: z.boolean(), requiredApprovals: z.int().nullable() })
  .meta({ id: 'briefEnvironmentSchema' })

/** An environment, with the numbers of projects, tokens and features that use it. */
const environmentSchema = briefEnvironmentSchema
  .extend({ projectCount: z.int(), apiTokenCount: z.int(), enabledToggleCount: z.int() })
  .meta({ id: 'environmentSchema' })

export type Environment = z.infer<typeof environmentSchema>

export const environmentsSchema = z
  .object({ version: z.literal(1), environments: z.array(environmentSchema) })
  .meta({ id: 'environmentsSchema' })

/** An environment, from the point of view of a project. */
const projectEnvironmentSchema = briefEnvironmentSchema
  .extend({ projectApiTokenCount: z.int(), projectEnabledToggleCount: z.int(), visible: z.boolean() })
  .meta({ id: 'projectEnvironmentSchema' })

export type ProjectEnvironment = z.infer<typeof projectEnvironmentSchema>

export const projectEnvironmentsSchema = z
  .object({ version: z.literal(1), environments: z.array(projectEnvironmentSchema) })
  .meta({ id: 'environmentsProjectSchema' })
