import type { State } from '../../engine/state/state.js'
import { type OperationId, type OperationRow, operations } from '../../service/api/operations.js'
import { paramNames } from '../../service/contract/operation.js'

const HISTORY = 'it depends on past events, which are not pulled'
const TRAFFIC = 'it depends on what SDKs reported, which is not pulled'
const SECRETS = 'it is about secrets, which are not pulled'
const INSTALLATION = 'it is about the installation'

/** Operations whose answers say nothing about how the mock behaves, each with the reason. */
export const NOT_COMPARED: Readonly<Partial<Record<OperationId, string>>> = {
  getEvents: HISTORY,
  getEventsForToggle: HISTORY,
  getEventCreators: HISTORY,
  searchEvents: HISTORY,
  getProjectStatus: HISTORY,
  getProjectHealthReport: HISTORY,
  getProjectInsights: HISTORY,
  getProjectDora: HISTORY,
  getPersonalDashboard: HISTORY,
  getPersonalDashboardProjectDetails: HISTORY,
  getFeatureLifecycle: HISTORY,
  getFeatureLifecycleStageCount: HISTORY,
  getFeatureUsageSummary: TRAFFIC,
  getRawFeatureMetrics: TRAFFIC,
  getApplications: TRAFFIC,
  getProjectApplications: TRAFFIC,
  getApplication: TRAFFIC,
  getApplicationOverview: TRAFFIC,
  getApplicationEnvironmentInstances: TRAFFIC,
  getOutdatedSdks: TRAFFIC,
  getOutdatedProjectSdks: TRAFFIC,
  getUnknownFlags: TRAFFIC,
  getPublicSignupToken: SECRETS,
  getPats: SECRETS,
  getAllApiTokens: SECRETS,
  getApiTokensByName: SECRETS,
  getProjectApiTokens: SECRETS,
  getAddons: SECRETS,
  getAddon: SECRETS,
  getIntegrationEvents: SECRETS,
  getUiConfig: INSTALLATION,
  getMaintenance: INSTALLATION,
  getTelemetrySettings: INSTALLATION,
  getInstanceAdminStats: INSTALLATION,
  getInstanceAdminStatsCsv: INSTALLATION,
  getAdminCount: INSTALLATION,
  getInactiveUsers: INSTALLATION,
}

/** Properties that depend on events, on traffic, on members who can't be seen, or on what is not pulled for its secrets. */
const UNKNOWN = [
  ['health', 'technicalDebt', 'stats', 'onboardingStatus', 'lastUpdatedAt', 'lastReportedFlagUsage', 'updatedAt'],
  ['yes', 'no', 'lastSeenAt', 'seenAt', 'loginAttempts', 'activeSessions', 'deletedSessions', 'feedback', 'splash'],
  ['members', 'memberCount', 'apiTokenCount', 'projectApiTokenCount', 'inviteLink', 'imageUrl'],
  ['canChangePassword'],
  // Of all projects, also of those that the key can't see.
  ['projectCount', 'enabledToggleCount'],
].flat()

const OF_OPERATIONS: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getAllPublicSignupTokens: ['secret', 'url'],
  // Of an API token, which is not pulled.
  getMe: ['secret', 'username'],
  // Those of built-in roles are in our words.
  getUsers: ['description'],
  getProfile: ['description'],
}

/** Numbers that include what other projects have. */
const OF_ALL_PROJECTS = ['usedInProjects', 'usedInFeatures']

/** The properties of an operation's answers that are not compared. */
export function ignoredIn(operation: OperationId, ofSomeProjects: boolean): ReadonlySet<string> {
  return new Set([...UNKNOWN, ...(OF_OPERATIONS[operation] ?? []), ...(ofSomeProjects ? OF_ALL_PROJECTS : [])])
}

/** A path that is asked, and the operation that answers it. */
export interface Question {
  operation: OperationId
  path: string
}

/** Whether an answer is about one project. Whether there are dependencies is answered about all, whatever the path says. */
function isOfProject({ id, path }: OperationRow): boolean {
  if (id === 'checkDependenciesExist') return false
  return id === 'searchFeatures' || /:(?:projectId|featureName)/.test(path)
}

type PathValues = Readonly<Record<string, string | number>>

/**
 * Every modelled GET of the admin API, for the things that are in a state. Of some projects only, what tells about all is
 * left out.
 */
export function questionsAbout(state: State, ofSomeProjects: boolean): Question[] {
  const rows = operations.filter((row) => row.method === 'GET' && row.access === 'admin')
  return rows
    .filter(({ id }) => NOT_COMPARED[id] === undefined)
    .filter((row) => !ofSomeProjects || isOfProject(row))
    .flatMap((row) => pathsOf(row, state).map((path) => ({ operation: row.id, path })))
}

function pathsOf(row: OperationRow, state: State): string[] {
  const plain = thingsFor(row, state).map((values) =>
    row.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? '')),
  )
  const queries = QUERIES[row.id]
  return queries === undefined ? plain : plain.flatMap((path) => queries(state).map((query) => `${path}${query}`))
}

const QUERIES: Readonly<Partial<Record<string, (state: State) => string[]>>> = {
  getFeature: () => ['', '?variantEnvironments=true'],
  searchFeatures: ({ projects }) =>
    projects.flatMap(({ id }) =>
      ['', '&archived=IS:true'].map((more) => `?project=${encodeURIComponent(`IS:${id}`)}&limit=100${more}`),
    ),
}

/** The values of a path's parameters, one set for each thing that it is about. */
function thingsFor({ path }: OperationRow, state: State): readonly PathValues[] {
  const names = paramNames(path)
  const features = state.features.filter(({ archived }) => !archived)
  const ofFeatures = features.map(({ name, project }) => ({ projectId: project, featureName: name }))
  const ofEnvironments = features.flatMap(({ name, project, environments }) =>
    environments.map((environment) => ({
      place: { projectId: project, featureName: name, environment: environment.name },
      strategies: environment.strategies,
    })),
  )
  if (names.length === 0) return [{}]
  if (names.includes('strategyId')) {
    return ofEnvironments.flatMap(({ place, strategies }) => strategies.map(({ id }) => ({ ...place, strategyId: id })))
  }
  if (names.includes('environment')) return ofEnvironments.map(({ place }) => place)
  if (names.includes('featureName')) return ofFeatures
  if (names.includes('contextField')) {
    return state.contextFields.flatMap(({ name, project }) => {
      if (!names.includes('projectId')) return [{ contextField: name }]
      return project === null ? [] : [{ contextField: name, projectId: project }]
    })
  }
  if (names.includes('projectId')) return state.projects.map(({ id }) => ({ projectId: id }))
  const found = Object.entries(LISTS).find(([start]) => path.startsWith(`/api/admin/${start}/:`))
  return found?.[1](state) ?? []
}

/** The things that paths of these beginnings are about. */
const LISTS: Readonly<Record<string, (state: State) => readonly PathValues[]>> = {
  environments: ({ environments }) => environments.map(({ name }) => ({ name })),
  strategies: ({ strategyTypes }) => strategyTypes.map(({ name }) => ({ name })),
  'tag-types': ({ tagTypes }) => tagTypes.map(({ name }) => ({ name })),
  tags: ({ tags }) => tags.map(({ type, value }) => ({ type, value })),
  segments: ({ segments }) => segments.map(({ id }) => ({ id })),
  'user-admin': ({ users }) => users.map(({ id }) => ({ id })),
}
