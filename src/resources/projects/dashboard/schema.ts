import * as z from 'zod'
import { accountSchema } from '../../people/users/schema.js'
import { instantSchema } from '../../shared/schema.js'
import { projectSchema } from '../projects/schema.js'

/** The first page of the user interface: the user's own projects and flags. */
export const personalDashboardSchema = z.lazy(() =>
  z
    .object({
      projects: z.array(
        projectSchema.pick({
          id: true,
          name: true,
          health: true,
          technicalDebt: true,
          memberCount: true,
          featureCount: true,
        }),
      ),
      flags: z.array(z.object({ name: z.string(), type: z.string(), project: z.string() })),
      projectOwners: z.array(projectSchema.shape.owners.element),
      admins: z.array(accountSchema.pick({ id: true, name: true, username: true, email: true, imageUrl: true })),
    })
    .meta({ id: 'personalDashboardSchema' }),
)

/** One project on that page. */
export const personalDashboardProjectDetailsSchema = z.lazy(() =>
  z
    .object({
      latestEvents: z.array(
        z.object({
          id: z.int(),
          createdAt: instantSchema,
          createdBy: z.string(),
          createdByImageUrl: z.string(),
          summary: z.string(),
        }),
      ),
      onboardingStatus: projectSchema.shape.onboardingStatus,
      owners: projectSchema.shape.owners,
      roles: z.array(z.object({ id: z.int(), name: z.string(), type: z.string() })),
      insights: z.object({
        avgHealthCurrentWindow: z.number().nullable(),
        avgHealthPastWindow: z.number().nullable(),
        totalFlags: z.int(),
        potentiallyStaleFlags: z.int(),
        staleFlags: z.int(),
        activeFlags: z.int(),
        technicalDebt: z.number(),
        health: z.number(),
      }),
    })
    .meta({ id: 'personalDashboardProjectDetailsSchema' }),
)
