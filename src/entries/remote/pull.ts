import * as z from 'zod'
import { MockError } from '../../engine/errors/mock-errors.js'
import { createMock } from '../../engine/mock/mock.js'
import type { PartialState } from '../../engine/state/partial-state.js'
import type { State } from '../../engine/state/state.js'
import { builtInFeatureTypes } from '../../service/resources/flags/feature-types.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import { RECORDS_KEPT } from '../../service/store/collection.js'
import { isObject } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { percentEncoded, printable } from '../../support/text.js'
import { UsageError } from '../files/usage-error.js'
import type { ServiceClient } from './client.js'

type PulledNames = readonly string[]
type Fields = Readonly<Record<string, unknown>>

/** Lists that all projects share: the path of each, and its name in the response. */
const SHARED = {
  environments: ['environments', 'environments'],
  segments: ['segments', 'segments'],
  contextFields: ['context', ''],
  strategyTypes: ['strategies', 'strategies'],
} as const

/** The fields to read, without personal data. */
const READ = {
  environments: ['name', 'type', 'sortOrder', 'enabled'],
  segments: ['id', 'name', 'description', 'project', 'constraints', 'createdAt'],
  contextFields: ['name', 'description', 'stickiness', 'sortOrder', 'legalValues', 'createdAt', 'project'],
  strategyTypes: ['name', 'displayName', 'title', 'description', 'editable', 'deprecated', 'parameters'],
  projects: ['id', 'name', 'description', 'mode', 'createdAt', 'featureNaming', 'featureLimit', 'linkTemplates'],
  features: ['name', 'project', 'createdAt', 'lifecycle'],
} satisfies { [Kind in TableName]?: (keyof State[Kind][number])[] }

/**
 * Reads projects, environments, segments, context fields, strategy types and features of the chosen projects and
 * environments (default: all), and no personal data. Throws a `UsageError` for the first unusable response.
 */
export async function pullState(
  client: ServiceClient,
  chosen: PulledNames,
  wanted: PulledNames,
): Promise<PartialState> {
  const shared = async (kind: keyof typeof SHARED) => {
    const [path, name] = SHARED[kind]
    return (await listAt(client, `/api/admin/${path}`, name)).map((one) => fitting(kind, one))
  }
  const listed = await shared('environments')
  const found = await search(client)
  // An open-source instance lists only its own project and environment; flags can be in others.
  const ids = [...namesIn(await listAt(client, '/api/admin/projects', 'projects'), 'id'), ...namesIn(found, 'project')]
  const projects = select('project', chosen, [...new Set(ids)])
  const overviews: Fields[] = []
  for (const id of projects) {
    const overview = await client.ask(`/api/admin/projects/${percentEncoded(id)}/overview`)
    overviews.push(isObject(overview) ? overview : {})
  }
  const shown = found
    .flatMap((feature) => objectsIn(feature.environments))
    .map(({ name, type, sortOrder }) => ({ name, type, sortOrder }))
  const connected = overviews.map(environmentsOf)
  const known = [...new Set([...namesIn(listed, 'name'), ...connected.flat().map(({ name }) => name)])]
  const environments = select('environment', wanted, known)
  const used = connected.map((list) => list.filter(({ name }) => environments.includes(name)))
  const isOpen = ({ project }: Fields) => typeof project !== 'string' || projects.includes(project)
  const base = {
    environments: environments.map((name) => [...listed, ...shown].find((one) => one.name === name) ?? { name }),
    projects: overviews.map((overview, i) => ({
      ...fitting('projects', { ...overview, id: projects[i] }),
      environments: used[i]?.map(({ name }) => name),
      defaultStrategies: Object.fromEntries(
        (used[i] ?? []).flatMap(({ name, strategy }) => (isObject(strategy) ? [[name, strategy]] : [])),
      ),
    })),
    segments: (await shared('segments')).filter(isOpen),
    contextFields: (await shared('contextFields')).filter(isOpen),
    strategyTypes: await shared('strategyTypes'),
  }
  const load = createLoader(client)
  load('/api/admin/projects', base)
  load(SEARCH, { features: found.filter(isOpen).map((feature) => momentsOf(feature, environments)) })
  for (const [i, project] of projects.entries()) {
    for (const { name } of used[i] ?? []) {
      const path = '/api/admin/features-batch/export'
      load(path, await client.ask(path, { project, environment: name, downloadFile: false }))
    }
  }
  const state = load.state()
  return {
    ...state,
    environments: state.environments.filter(({ name }) => environments.includes(name)),
    projects: state.projects.filter(({ id }) => projects.includes(id)),
  }
}

/** The chosen names, or all. Throws a `UsageError` for a name that Unleash doesn't list. */
function select(what: string, chosen: PulledNames, known: PulledNames): PulledNames {
  const unknown = chosen.find((name) => !known.includes(name))
  if (unknown === undefined) return chosen.length === 0 ? known : [...new Set(chosen)]
  const hint = `${didYouMean(unknown, known)} The API token can read: ${known.join(', ')}.`
  throw new UsageError(`The API token can't read the ${what} "${printable(unknown)}".`, printable(hint.trim()))
}

function namesIn(list: readonly Fields[], field: string): string[] {
  return list.flatMap(({ [field]: name }) => (typeof name === 'string' ? [name] : []))
}

function environmentsOf(overview: Fields): { name: string; strategy: unknown }[] {
  return objectsIn(overview.environments).flatMap(({ environment, defaultStrategy }) =>
    typeof environment === 'string' ? [{ name: environment, strategy: defaultStrategy }] : [],
  )
}

const SEARCH = '/api/admin/search/features'

/** All pages of the search, up to a page without new features. */
async function search(client: ServiceClient): Promise<Fields[]> {
  const found = new Map<unknown, Fields>()
  for (let known = -1; known < found.size; ) {
    known = found.size
    const page = await listAt(client, `${SEARCH}?limit=100&offset=${known}`, 'features')
    for (const feature of page) found.set(feature.name, feature)
    if (found.size > RECORDS_KEPT) {
      const problem = `${client.url}${SEARCH} lists more than ${RECORDS_KEPT.toLocaleString('en')} features.`
      throw new UsageError(problem, 'A mock holds no more. Check whether the instance repeats its pages.')
    }
  }
  return [...found.values()]
}

/** The times of a feature's creation and last use, its stage and its environments, which an export lacks. */
function momentsOf(feature: Fields, chosen: PulledNames): Fields {
  const read = fitting('features', feature)
  const environments = objectsIn(feature.environments)
    .filter(({ name }) => chosen.includes(String(name)))
    .map(({ name, lastSeenAt }) => ({ name, lastSeenAt }))
  return { ...read, environments, onlyIn: environments.map(({ name }) => name) }
}

function objectsIn(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The objects of a list in a response: under a name, or as the whole response. */
async function listAt(client: ServiceClient, path: string, name: string): Promise<Fields[]> {
  const body = await client.ask(path)
  const list = name === '' || !isObject(body) ? body : body[name]
  if (Array.isArray(list)) return list.filter(isObject)
  throw new UsageError(
    `${client.url}${path} responded 200 without a list.`,
    'Check that the URL is the URL of an Unleash instance.',
  )
}

/** A fixed present, so that records without a time in Unleash have the same time in each pull. */
const NOW = '2020-01-01T00:00:00.000Z'

/** An empty mock to which the pulled data is added as fixtures. */
function createLoader(client: ServiceClient) {
  const mock = createMock({ scenario: 'empty', now: NOW, seed: 'pull' })
  const load = (path: string, given: unknown) => {
    try {
      mock.add(given as PartialState)
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      throw new UsageError(`The response of ${client.url}${path} can't be used. ${error.problem}`, error.hint)
    }
  }
  const state = () => {
    const { environments, projects, segments, contextFields, strategyTypes, tagTypes, tags, features, featureTypes } =
      mock.state()
    const ownTypes = featureTypes.filter(({ id }) => !builtInFeatureTypes.some((builtIn) => builtIn === id))
    return {
      ...{ version: 1 as const, environments, projects, contextFields, strategyTypes, tagTypes, tags },
      ...(ownTypes.length > 0 && { featureTypes: ownTypes }),
      segments: segments.map(({ createdBy: _, ...segment }) => segment),
      features: features
        .map(({ createdBy: _, collaborators: __, lifecycle, pastStages: ___, ...feature }) =>
          lifecycle?.enteredStageAt === NOW ? feature : { ...feature, lifecycle },
        )
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }
  }
  return Object.assign(load, { state })
}

/** The fields to read of a record that have the shape of seed data: other versions of Unleash have other fields. */
function fitting(kind: keyof typeof READ, record: Fields): Fields {
  const { shape } = tables[kind].fixture as z.ZodObject
  const entries = READ[kind].map((name) => [name, shaped(shape[name], record[name])])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function shaped(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined || value === undefined) return undefined
  if (schema instanceof z.ZodOptional) return value === null ? undefined : shaped(schema.def.innerType, value)
  if (schema instanceof z.ZodNullable) return value === null ? null : shaped(schema.def.innerType, value)
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((item) => shaped(schema.def.element, item)) : undefined
  }
  if (schema instanceof z.ZodObject && isObject(value)) {
    const entries = Object.entries(schema.shape).map(([name, field]) => [name, shaped(field, value[name])])
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
  }
  return z.safeParse(schema, value).success ? value : undefined
}
