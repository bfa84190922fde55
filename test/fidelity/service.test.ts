import { expect, it } from 'vitest'
import { ServiceClient } from '../../src/entries/remote/client.js'
import { pullState } from '../../src/entries/remote/pull.js'
import { createMock, type State } from '../../src/index.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { paramNames } from '../../src/service/contract/operation.js'
import { isObject } from '../../src/support/json.js'
import { grouped } from '../../src/support/lists.js'

/** Operations whose responses reveal nothing about the mock's behaviour, each group with the reason. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  'past events, which are not pulled':
    'getEvents getEventsForToggle getEventCreators searchEvents getProjectStatus getProjectHealthReport getProjectInsights getProjectDora getPersonalDashboard getPersonalDashboardProjectDetails getFeatureLifecycle getFeatureLifecycleStageCount',
  'what SDKs reported, which is not pulled':
    'getFeatureUsageSummary getRawFeatureMetrics getApplications getProjectApplications getApplication getApplicationOverview getApplicationEnvironmentInstances getOutdatedSdks getOutdatedProjectSdks getUnknownFlags',
  'secrets and integrations, which are not pulled':
    'getPublicSignupToken getAllPublicSignupTokens getPats getAllApiTokens getApiTokensByName getProjectApiTokens getAddons getAddon getIntegrationEvents',
  'the installation':
    'getUiConfig getMaintenance getTelemetrySettings getInstanceAdminStats getInstanceAdminStatsCsv getAdminCount',
}

/** Users are not pulled: their own paths, roles, and the creators of flags. */
const OF_PEOPLE = /^\/api\/admin\/(user|roles)|\/flag-creators$/

/** Descriptions of built-in kinds are in our own words. */
const OF_BUILT_IN = /^\$\.(tagTypes?|types)\b.*\.description$/

/** Properties that depend on users, on events, on traffic, or on data that an export lacks. */
const IGNORED = new Set(
  [
    'createdBy collaborators owners members memberCount favorite',
    'health technicalDebt stats onboardingStatus lastUpdatedAt lastReportedFlagUsage updatedAt',
    'yes no lastSeenAt seenAt apiTokenCount projectApiTokenCount enabledToggleCount projectCount',
  ].flatMap((names) => names.split(' ')),
)

/** A difference between two responses. A missing value is undefined. */
interface Difference {
  at: string
  theirs: unknown
  ours: unknown
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Properties that identify the items of a list; the first that distinguishes them is used. */
const NAMES = ['id', 'name', 'value', 'environment', 'featureName', 'feature', 'type', 'project', 'url']

/** The differences between two responses in structure or in values. Compares times by type, and lists as sets. */
function* differences(at: string, theirs: unknown, ours: unknown): Generator<Difference> {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    const keyOf = keyFor([theirs, ours])
    const rest = grouped(ours, keyOf)
    for (const [i, item] of theirs.entries()) {
      yield* differences(`${at}[${i}]`, item, rest.get(keyOf(item))?.shift())
    }
    for (const item of [...rest.values()].flat()) yield { at: `${at}[]`, theirs: undefined, ours: item }
  } else if (isObject(theirs) && isObject(ours)) {
    const isLink = 'url' in theirs && 'title' in theirs
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      // An export leaves out the IDs of links.
      if (IGNORED.has(name) || (isLink && name === 'id')) continue
      yield* differences(`${at}.${name}`, theirs[name], ours[name])
    }
  } else if (theirs !== ours && !(isInstant(theirs) && isInstant(ours))) {
    yield { at, theirs, ours }
  }
}

/** The property that identifies the items in both lists, with the same values; otherwise their whole contents. */
function keyFor(lists: (readonly unknown[])[]): (item: unknown) => string {
  const valuesOf = (list: readonly unknown[], name: string) =>
    new Set(list.map((item) => (isObject(item) ? item[name] : undefined)))
  const tellsApart = (name: string) =>
    lists.every((list) => valuesOf(list, name).size === list.length && !valuesOf(list, name).has(undefined)) &&
    (name !== 'id' ||
      lists.every((list) => [...valuesOf(list, name)].every((id) => valuesOf(lists[0] ?? [], name).has(id))))
  const name = NAMES.find(tellsApart)
  return (item) => (name !== undefined && isObject(item) ? String(item[name]) : textOf(item))
}

/** A text of all relevant parts of a value, in any order of properties. A time counts only as a time. */
function textOf(value: unknown): string {
  const counting = (_: string, inner: unknown) => {
    if (!isObject(inner)) return isInstant(inner) ? 'an instant' : inner
    const entries = Object.entries(inner).filter(([name]) => !IGNORED.has(name))
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
  }
  return JSON.stringify(value, counting) ?? ''
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value))
}

type PathValues = Readonly<Record<string, string | number>>

/** Every modelled GET of the admin API, for the records in a state. */
function questionsAbout(state: State): { operation: string; path: string }[] {
  const left = new Set(Object.values(NOT_COMPARED).flatMap((ids) => ids.split(' ')))
  return operations
    .filter(
      ({ method, access, id, path }) =>
        method === 'GET' && access === 'admin' && !left.has(id) && !OF_PEOPLE.test(path),
    )
    .flatMap((row) => pathsOf(row, state).map((path) => ({ operation: row.id, path })))
}

function pathsOf(row: OperationRow, state: State): string[] {
  const plain = thingsFor(row, state).map((values) =>
    row.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? '')),
  )
  const queries: Readonly<Record<string, readonly string[]>> = {
    getFeature: ['', '?variantEnvironments=true'],
    searchFeatures: state.projects.map(({ id }) => `?project=${encodeURIComponent(`IS:${id}`)}&limit=100`),
  }
  return plain.flatMap((path) => (queries[row.id] ?? ['']).map((query) => path + query))
}

/** The values of a path's parameters, one set for each record. */
function thingsFor({ path }: OperationRow, state: State): readonly PathValues[] {
  const names = paramNames(path)
  const ofFeatures = state.features.map(({ name, project }) => ({ projectId: project, featureName: name }))
  const ofEnvironments = state.features.flatMap(({ name, project, environments }) =>
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
    const inProject = names.includes('projectId')
    const fields = state.contextFields.filter(({ project }) => !inProject || project !== null)
    return fields.map(({ name, project }) => ({
      contextField: name,
      ...(project === null ? {} : { projectId: project }),
    }))
  }
  if (names.includes('projectId')) return state.projects.map(({ id }) => ({ projectId: id }))
  const found = Object.entries(LISTS).find(([start]) => path.startsWith(`/api/admin/${start}/:`))
  return found?.[1](state) ?? []
}

/** The records for paths with these prefixes. */
const LISTS: Readonly<Record<string, (state: State) => readonly PathValues[]>> = {
  environments: ({ environments }) => environments.map(({ name }) => ({ name })),
  strategies: ({ strategyTypes }) => strategyTypes.map(({ name }) => ({ name })),
  'tag-types': ({ tagTypes }) => tagTypes.map(({ name }) => ({ name })),
  tags: ({ tags }) => tags.map(({ type, value }) => ({ type, value })),
  segments: ({ segments }) => segments.map(({ id }) => ({ id })),
}

const { FLAGDOUBLE_SERVICE: url = '', FLAGDOUBLE_KEY: key = '' } = process.env

it.skipIf(url === '')(
  'a mock with the data of an instance responds like the instance',
  { timeout: 600_000 },
  async () => {
    const state = await pullState(new ServiceClient(url, key), [], [])
    const mock = createMock({ profile: 'unleash-8', scenario: 'empty', fixtures: state })
    const found: string[] = []
    const questions = questionsAbout({ ...mock.state(), ...(state as State) })
    for (const { operation, path } of questions) {
      const theirs = await fetch(url + path, { headers: { authorization: key } })
      const ours = await mock.fetch(new Request(mock.baseUrl + path, { headers: { authorization: '*:*.mock-admin' } }))
      const told = theirs.status === ours.status ? [...differences('$', await bodyOf(theirs), await bodyOf(ours))] : []
      if (theirs.status !== ours.status) told.push({ at: 'status', theirs: theirs.status, ours: ours.status })
      for (const { at, ...sides } of told.filter((one) => !OF_BUILT_IN.test(one.at)))
        found.push(`${operation} ${path} ${at} ${JSON.stringify(sides)}`)
    }
    expect(questions.length).toBeGreaterThan(20)
    expect(found).toEqual([])
  },
)

/** The JSON of a response; only the name of an error, whose texts are our own. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return response.ok || !isObject(body) ? body : { name: body.name }
}
