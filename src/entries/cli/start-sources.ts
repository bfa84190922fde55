import { createMockOf, type Mock } from '../../engine/mock/mock.js'
import type { SourcedFixture } from '../../engine/sessions/start.js'
import type { PartialState } from '../../engine/state/partial-state.js'
import { exportInto, isStateExport } from '../../engine/transfer/older-forms.js'
import { formatOf } from '../../engine/transfer/service-file.js'
import { isObject } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { readJson } from '../files/json-file.js'
import { inFile, readSources, type Sources } from '../files/sources.js'
import { UsageError } from '../files/usage-error.js'
import { bootstrapFixtures } from './edge.js'
import type { ServiceSettings, StartFlags } from './flags.js'
import { seedOf } from './service-variables.js'

/** The start data of a server: the files that flags name, and the values of Unleash's own variables. */
export async function readStartSources(flags: StartFlags, warn: (message: string) => void): Promise<Sources> {
  const sources = await readSources(flags, warn)
  return flags.service === undefined ? sources : withService(flags, flags.service, sources)
}

/** Each part of the variables' data depends on the records before it, so one mock loads them all in order. */
async function withService(
  { scenario, now, profile }: StartFlags,
  service: ServiceSettings,
  { scenarios, fixtures: ofFiles }: Sources,
): Promise<Sources> {
  const { file, bootstrap, apiTokens, enabledEnvironments } = service
  const named = [...new Set(apiTokens.map(({ environment }) => environment).filter((name) => name !== '*'))]
  const fixtures = [...ofFiles, ...(bootstrap === undefined ? [] : await readBootstrap(bootstrap, named))]
  const mock = createMockOf({ scenarios, scenario, now, profile }, fixtures)
  const add = (state: PartialState, source?: string) => {
    try {
      mock.add(state)
      fixtures.push({ state, source })
    } catch (error) {
      throw inFile(source, error)
    }
  }
  if (bootstrap !== undefined) add(placesOfTokens(mock, service, named))
  add(seedOf(service))
  if (enabledEnvironments !== undefined) add(onlyEnabled(mock, enabledEnvironments, service))
  if (file !== undefined) add(await readImport(mock, file, service), `IMPORT_FILE ${file}`)
  return { scenarios, fixtures }
}

/**
 * The content of an export file with its target. Files that Unleash 3 to 5 imported keep the environments that they name:
 * those of version 1 name none.
 */
async function readImport(mock: Mock, file: string, service: ServiceSettings): Promise<PartialState> {
  const { projects, environments } = mock.state()
  const project = known(
    projects.map(({ id }) => id),
    service.project ?? 'default',
    'project',
  )
  const environment = known(
    environments.map(({ name }) => name),
    service.environment ?? 'development',
    'environment',
  )
  const content = await readExport(file)
  switch (formatOf(content)) {
    case 'export':
      return (isStateExport(content) ? content : exportInto(content, { project, environment })) as PartialState
    case 'client':
      return { query: { environment }, ...content } as PartialState
    default:
      return content as PartialState
  }
}

/**
 * As in Unleash, a disabled environment leaves its projects, which get the environments that are enabled now. Unknown
 * names change nothing, and are a notice.
 */
function onlyEnabled(mock: Mock, wanted: readonly string[], { notices }: ServiceSettings): PartialState {
  const { environments, projects } = mock.state()
  const unknown = wanted.filter((one) => !environments.some(({ name }) => name === one))
  if (unknown.length > 0) {
    const names = environments.map(({ name }) => name).join(', ')
    const notice = `ENABLED_ENVIRONMENTS names unknown environments: ${unknown.join(', ')}. They are ignored. Known: ${names}.`
    if (!notices.includes(notice)) notices.push(notice)
    return {}
  }
  const isWanted = (name: string) => wanted.includes(name)
  const disabled = environments.filter(({ name, enabled }) => enabled && !isWanted(name)).map(({ name }) => name)
  const enabled = environments.filter(({ name, enabled }) => !enabled && isWanted(name)).map(({ name }) => name)
  const remapped = projects.filter((project) => project.environments.some((name) => disabled.includes(name)))
  return {
    environments: environments.map(({ name }) => ({ name, enabled: isWanted(name) })),
    projects: remapped.map(({ id, environments: before }) => ({
      id,
      environments: [...new Set([...before.filter((name) => !disabled.includes(name)), ...enabled])],
    })),
  }
}

/** The fixtures for Edge's offline mode. */
async function readBootstrap(file: string, environments: readonly string[]): Promise<SourcedFixture[]> {
  const content = await readNamed('BOOTSTRAP_FILE', file)
  const source = `BOOTSTRAP_FILE ${file}`
  return bootstrapFixtures(file, content, environments).map((state) => ({ state: state as PartialState, source }))
}

/** The projects and environments that only tokens name. */
function placesOfTokens(mock: Mock, { apiTokens }: ServiceSettings, environments: readonly string[]): PartialState {
  const known = mock.state()
  const knownProjects = new Set(['*', ...known.projects.map(({ id }) => id)])
  const knownEnvironments = new Set(known.environments.map(({ name }) => name))
  const projects = [...new Set(apiTokens.flatMap((token) => token.projects))].filter((id) => !knownProjects.has(id))
  const missing = environments.filter((name) => !knownEnvironments.has(name))
  return { projects: projects.map((id) => ({ id })), environments: missing.map((name) => ({ name })) }
}

function known(names: readonly string[], name: string, what: 'project' | 'environment'): string {
  if (names.includes(name)) return name
  const hint = `${didYouMean(name, names)} Known: ${names.join(', ')}.`.trim()
  throw new UsageError(`IMPORT_${what.toUpperCase()} can't be "${name}": there is no such ${what}.`, hint)
}

async function readNamed(variable: string, file: string): Promise<unknown> {
  return await readJson(file).catch((error: unknown) => {
    throw error instanceof UsageError ? new UsageError(`${variable}: ${error.message}`, error.hint) : error
  })
}

async function readExport(file: string): Promise<object> {
  const content = await readNamed('IMPORT_FILE', file)
  const format = formatOf(content)
  const isExport = format === 'export' || (format !== undefined && isObject(content) && content.version === 1)
  if (isExport) return content as object
  throw new UsageError(
    `IMPORT_FILE can't be "${file}": it is not an Unleash export file.`,
    'Export a file from Unleash, or pass your own data with --fixtures.',
  )
}
