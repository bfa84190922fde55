import * as z from 'zod'
import { isFavorite } from '../flags/favorites.model.js'
import { describeEvent } from '../instance/events.js'
import { callingUser } from '../people/callers.js'
import { isAdmin, projectRoles } from '../people/roles.model.js'
import { accountSchema, avatarOf, imageUrlOf, type StoredUser } from '../people/users.js'
import { ascending, byName } from '../shared/checks.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { pick } from '../shared/pick.js'
import { get, ok, operations } from '../shared/rows.js'
import { instantSchema, named } from '../shared/schema.js'
import { onboardingStatus } from './activity.js'
import { projectSchema } from './projects.js'
import { findActiveProject, ownersOf, presentProject, projectsOfUser } from './projects.operations.js'
import { ratingOf, stalenessOf } from './reports.model.js'

const briefProjectSchema = projectSchema.pick({
  id: true,
  name: true,
  health: true,
  technicalDebt: true,
  memberCount: true,
  featureCount: true,
})

/** An admin, who can grant access. */
const adminSchema = accountSchema.pick({ id: true, name: true, username: true, email: true, imageUrl: true })

/** The first page of the user interface: the user's own projects and flags. */
const personalDashboardSchema = named('personalDashboardSchema', () => ({
  projects: z.array(briefProjectSchema),
  flags: z.array(z.object({ name: z.string(), type: z.string(), project: z.string() })),
  projectOwners: z.array(projectSchema.shape.owners.element),
  admins: z.array(adminSchema),
}))

/** One project on that page. */
const personalDashboardProjectDetailsSchema = named('personalDashboardProjectDetailsSchema', () => ({
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
}))

/** The number of latest events shown per project. */
const LATEST = 10

/** The flags that a user created or marked as favorites, newest first. */
function flagsOf({ id }: StoredUser, tables: Tables) {
  return tables.features
    .list()
    .filter((feature) => !feature.archived)
    .filter(({ createdBy, name }) => createdBy.id === id || isFavorite(tables, id, 'feature', name))
    .toSorted((one, other) => ascending(other.createdAt, one.createdAt) || byName(one, other))
    .map(({ name, type, project }) => ({ name, type, project }))
}

const presentInBrief = pick(briefProjectSchema)
const presentAdmin = pick(adminSchema, (user: StoredUser) => ({ imageUrl: imageUrlOf(user) }))

function latestEvents(project: string, { tables, baseUrl }: OperationContext) {
  const latest = [...tables.events.newestFirst()].filter((event) => event.project === project).slice(0, LATEST)
  return latest.map((event) => {
    const creator = tables.users.get(event.createdByUserId ?? 0)
    return {
      id: event.id,
      createdAt: event.createdAt,
      createdBy: event.createdBy,
      createdByImageUrl: creator === undefined ? avatarOf(event.createdBy) : imageUrlOf(creator),
      summary: describeEvent(event, baseUrl).summary,
    }
  })
}

const path = '/api/admin/personal-dashboard'
export const dashboardOperations = operations('Personal dashboard', {
  getPersonalDashboard: get(path, {
    summary: 'Get the projects and flags of the calling user, and the admins who can grant access',
    success: ok('The dashboard', personalDashboardSchema),
    errors: [404],
    run: ({ context }) => {
      const { tables, caller } = context
      const user = callingUser(caller)
      const projects = projectsOfUser(tables, user).map((project) => presentInBrief(presentProject(project, context)))
      const admins = tables.users.list().filter((one) => isAdmin(one, tables))
      const flags = flagsOf(user, tables)
      return { body: { projects, flags, projectOwners: [], admins: admins.map(presentAdmin) } }
    },
  }),

  getPersonalDashboardProjectDetails: get(`${path}/:projectId`, {
    summary: 'Get the latest events of a project, its owners, and the roles of the calling user in it',
    success: ok('The project', personalDashboardProjectDetailsSchema),
    run: ({ params, context, tables }) => {
      const user = callingUser(context.caller)
      const project = findActiveProject(tables, params.projectId)
      const { activeCount, staleCount, potentiallyStaleCount } = stalenessOf(context, project.id)
      const { health, technicalDebt } = ratingOf(context, project.id)
      return {
        body: {
          latestEvents: latestEvents(project.id, context),
          onboardingStatus: onboardingStatus(project, tables),
          owners: ownersOf(project, tables),
          roles: projectRoles(user, tables, project.id).map(({ id, name, type }) => ({ id, name, type })),
          insights: {
            avgHealthCurrentWindow: null,
            avgHealthPastWindow: null,
            totalFlags: activeCount + staleCount,
            potentiallyStaleFlags: potentiallyStaleCount,
            staleFlags: staleCount,
            activeFlags: activeCount - potentiallyStaleCount,
            health,
            technicalDebt,
          },
        },
      }
    },
  }),
})
