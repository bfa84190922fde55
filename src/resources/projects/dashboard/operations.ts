import { ok } from '../../../support/result.js'
import { callingUser } from '../../people/callers/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { findActiveProject, projectsOfUser } from '../projects/lookup.js'
import { storedRating } from '../reports/lookup.js'
import { flagsOf, presentAdmins, presentDashboardProject, presentProjectDetails } from './present.js'
import { personalDashboardProjectDetailsSchema, personalDashboardSchema } from './schema.js'

const row = { tag: 'Personal dashboard', method: 'GET', access: 'admin' } as const
const path = '/api/admin/personal-dashboard'

const getPersonalDashboard = defineOperation({
  ...row,
  id: 'getPersonalDashboard',
  path,
  summary: "The calling user's projects and flags, and the admins who can give access",
  success: { status: 200, description: 'The dashboard', schema: personalDashboardSchema },
  errors: [404],
  run: ({ context, profile }) => {
    const { tables, caller } = context
    const user = callingUser(caller)
    if (!user.ok) return user
    const projects = projectsOfUser(tables, user.value).map((project) =>
      presentDashboardProject({ project, rating: storedRating(project, context, profile) }, tables),
    )
    const flags = flagsOf(user.value, tables)
    return ok({ body: { projects, flags, projectOwners: [], admins: presentAdmins(tables) } })
  },
})

const getPersonalDashboardProjectDetails = defineOperation({
  ...row,
  id: 'getPersonalDashboardProjectDetails',
  path: `${path}/:projectId`,
  summary: 'The latest events of a project, its owners, and the roles of the calling user in it',
  success: { status: 200, description: 'The project', schema: personalDashboardProjectDetailsSchema },
  errors: [404],
  run: ({ params, context, profile }) => {
    const user = callingUser(context.caller)
    if (!user.ok) return user
    const project = findActiveProject(context.tables, params.projectId)
    return project.ok ? ok({ body: presentProjectDetails(project.value, user.value, context, profile) }) : project
  },
})

export const dashboardOperations = [getPersonalDashboard, getPersonalDashboardProjectDetails] as const
