import * as z from 'zod'
import { compileExpression, LARGEST_EXPRESSION } from '../../../support/linear-expression.js'
import { pagingShape } from '../../../support/paging.js'
import { createFeatureStrategySchema } from '../../flags/strategies/schema.js'
import { instantSchema } from '../../shared/schema.js'

export const memberSchema = z.object({
  /** The id of the user. */
  id: z.int(),
  /** The id of the role in the project. */
  role: z.int(),
})

const featureNamingSchema = z.object({
  /** A regular expression for the whole name; null for none. */
  pattern: z
    .string()
    .refine(isPattern, { error: 'must be a regular expression', abort: true })
    .refine((text) => compileExpression(text, { syntax: 'javascript' }).ok, {
      error: `must be a regular expression without lookarounds and backreferences, of at most ${LARGEST_EXPRESSION} characters with repetitions written out`,
    })
    .nullable(),
  /** A name that matches. */
  example: z.string().nullable(),
  /** The pattern in words. */
  description: z.string().nullable(),
})

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== undefined
  } catch {
    return false
  }
}

const linkTemplateSchema = z.object({
  /** The text of the link. */
  title: z.string().nullable(),
  /** Where it leads; `{{project}}` and `{{feature}}` are replaced. */
  urlTemplate: z.string(),
})

/** A project as it is stored: with the names of its environments. */
export const projectRecordSchema = z.object({
  id: z.string().min(1),
  /** The name to show. Default: the id. */
  name: z.string(),
  /** What it is for. Default: null. */
  description: z.string().nullable(),
  /** Who sees and changes it. Default: `open`. */
  mode: z.enum(['open', 'protected', 'private']),
  createdAt: instantSchema,
  updatedAt: instantSchema.nullable(),
  archivedAt: instantSchema.nullable(),
  environments: z.array(z.string()),
  /** Users, each with a role in this project. */
  members: z.array(memberSchema),
  /** The environments with change requests. */
  changeRequests: z.array(z.string()),
  /** The pattern that names of its features must match. */
  featureNaming: featureNamingSchema,
  /** The most features that it takes. Default: null, no limit. */
  featureLimit: z.int().min(0).nullable(),
  /** Links that every new feature gets; `{{project}}` and `{{feature}}` stand for their names. */
  linkTemplates: z.array(linkTemplateSchema),
  /** By environment, the strategy that a feature gets when it is enabled without one. */
  defaultStrategies: z.record(z.string(), createFeatureStrategySchema).optional(),
})

export type ProjectRecord = z.infer<typeof projectRecordSchema>

const ownerSchema = z.union([
  z.object({
    ownerType: z.literal('user'),
    name: z.string(),
    email: z.string().nullable(),
    imageUrl: z.string(),
  }),
  z.object({ ownerType: z.literal('system') }),
])

export type Owner = z.infer<typeof ownerSchema>

const onboardingStatusSchema = z.union([
  z.object({ status: z.literal('onboarding-started') }),
  z.object({ status: z.literal('first-flag-created'), feature: z.string() }),
  z.object({ status: z.enum(['sdk-connected', 'onboarded']) }),
])

export type OnboardingStatus = z.infer<typeof onboardingStatusSchema>

/** A project in a list. */
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
    onboardingStatus: onboardingStatusSchema,
    owners: z.array(ownerSchema),
    favorite: z.boolean(),
  })
  .meta({ id: 'projectSchema' })

export type Project = z.infer<typeof projectSchema>

export const projectsSchema = z
  .object({ version: z.literal(1), projects: z.array(projectSchema) })
  .meta({ id: 'projectsSchema' })

/** The list of the running service: without favorites if the caller is not a user. */
export const serviceProjectsSchema = z
  .object({
    version: z.literal(1),
    projects: z.array(projectSchema.partial({ favorite: true })),
  })
  .meta({ id: 'serviceProjectsSchema' })

export const statsSchema = z
  .object({
    avgTimeToProdCurrentWindow: z.number(),
    createdCurrentWindow: z.int(),
    createdPastWindow: z.int(),
    archivedCurrentWindow: z.int(),
    archivedPastWindow: z.int(),
    projectActivityCurrentWindow: z.int(),
    projectActivityPastWindow: z.int(),
    projectMembersAddedCurrentWindow: z.int(),
  })
  .meta({ id: 'projectStatsSchema' })

export type ProjectStats = z.infer<typeof statsSchema>

export const projectOverviewSchema = z
  .object({
    stats: statsSchema,
    name: z.string(),
    description: z.string().nullable(),
    mode: z.string(),
    featureLimit: z.int().nullable(),
    featureNaming: featureNamingSchema,
    linkTemplates: z.array(linkTemplateSchema),
    defaultStickiness: z.string(),
    health: z.number(),
    technicalDebt: z.number(),
    favorite: z.boolean(),
    updatedAt: instantSchema.nullable(),
    archivedAt: instantSchema.nullable().optional(),
    createdAt: instantSchema,
    onboardingStatus: onboardingStatusSchema,
    environments: z.array(
      z.object({ environment: z.string(), defaultStrategy: createFeatureStrategySchema.optional() }),
    ),
    featureTypeCounts: z.array(z.object({ type: z.string(), count: z.int() })),
    members: z.int(),
    version: z.literal(1),
  })
  .meta({ id: 'projectOverviewSchema' })

const stageSummarySchema = z.object({ averageDays: z.number().nullable(), currentFlags: z.int() })

export const projectStatusSchema = z.lazy(() =>
  z
    .object({
      resources: z.object({ members: z.int(), apiTokens: z.int(), segments: z.int() }),
      activityCountByDate: z.array(z.object({ date: z.string(), count: z.int() })),
      health: z.object({ current: z.number() }),
      technicalDebt: z.object({ current: z.number() }),
      lifecycleSummary: z.object({
        initial: stageSummarySchema,
        preLive: stageSummarySchema,
        live: stageSummarySchema,
        completed: stageSummarySchema,
        archived: z.object({ currentFlags: z.int(), last30Days: z.int() }),
      }),
      staleFlags: z.object({ total: z.int() }),
    })
    .meta({ id: 'projectStatusSchema' }),
)

const flagCreatorSchema = z.object({ id: z.int(), name: z.string() })

export type FlagCreator = z.infer<typeof flagCreatorSchema>

export const projectFlagCreatorsSchema = z.array(flagCreatorSchema).meta({ id: 'projectFlagCreatorsSchema' })

export const flagCreatorsQuerySchema = z.object({ ...pagingShape, q: z.string().optional() })

export const flagCreatorsSchema = z
  .object({ flagCreators: z.array(flagCreatorSchema), total: z.int() })
  .meta({ id: 'flagCreatorsSchema' })
