import * as z from 'zod'
import { pagingShape } from '../../../support/paging.js'

/** The parameters of the lists of applications. These are always sorted by name; `sortBy` is ignored. */
export const applicationsQuerySchema = z.object({
  ...pagingShape,
  query: z.string().optional(),
  sortBy: z.string().optional(),
  sortOrder: z.string().optional(),
})

export type ApplicationsQuery = z.infer<typeof applicationsQuerySchema>

const applicationSchema = z.lazy(() =>
  z
    .object({
      appName: z.string(),
      description: z.string().optional(),
      url: z.string().optional(),
      color: z.string().optional(),
      icon: z.string().optional(),
      strategies: z.array(z.string()),
      usage: z.array(z.object({ project: z.string(), environments: z.array(z.string()) })),
    })
    .meta({ id: 'applicationSchema' }),
)

export type Application = z.infer<typeof applicationSchema>

export const applicationsSchema = z
  .object({ applications: z.array(applicationSchema), total: z.int() })
  .meta({ id: 'applicationsSchema' })

const projectApplicationSchema = z.lazy(() =>
  z
    .object({
      name: z.string(),
      environments: z.array(z.string()),
      instances: z.array(z.string()),
      sdks: z.array(z.object({ name: z.string(), versions: z.array(z.string()) })),
    })
    .meta({ id: 'projectApplicationSchema' }),
)

export type ProjectApplication = z.infer<typeof projectApplicationSchema>

export const projectApplicationsSchema = z
  .object({ applications: z.array(projectApplicationSchema), total: z.int() })
  .meta({ id: 'projectApplicationsSchema' })
