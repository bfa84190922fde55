import * as z from 'zod'
import { instantSchema } from '../common.js'

/** A project as it is stored: with the names of the environments it is connected to. */
export const projectRecordSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  description: z.string().nullable(),
  mode: z.enum(['open', 'protected', 'private']),
  createdAt: instantSchema,
  updatedAt: instantSchema.nullable(),
  archivedAt: instantSchema.nullable(),
  environments: z.array(z.string()),
  /** Users, each with a role that they have in this project. */
  members: z.array(z.object({ id: z.int(), role: z.int() })),
  /** The environments in which change requests are on. */
  changeRequests: z.array(z.string()),
})

export type ProjectRecord = z.infer<typeof projectRecordSchema>

/** A project as it is listed. */
export const projectSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    health: z.number(),
    technicalDebt: z.number(),
    featureCount: z.int(),
    memberCount: z.int(),
    mode: z.string(),
    createdAt: instantSchema,
    archivedAt: instantSchema.nullable(),
    lastUpdatedAt: instantSchema.nullable(),
    lastReportedFlagUsage: instantSchema.nullable(),
    owners: z.array(z.object({ ownerType: z.string() })),
  })
  .meta({ id: 'projectSchema' })

export type Project = z.infer<typeof projectSchema>

export const projectsSchema = z
  .object({ version: z.literal(1), projects: z.array(projectSchema) })
  .meta({ id: 'projectsSchema' })
