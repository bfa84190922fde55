import { createMock, type Mock } from '../../engine/mock/mock.js'
import { CORE } from '../../engine/mock/session.js'
import type { PartialState } from '../../engine/state/partial-state.js'
import { exportInto } from '../../engine/transfer/older-forms.js'
import { formatOf } from '../../engine/transfer/service-file.js'
import { didYouMean } from '../../support/nearest.js'
import { readJson } from '../files/json-file.js'
import { readSources, readUntried, type Sources, tryFixtures, tryOut } from '../files/sources.js'
import { UsageError } from '../files/usage-error.js'
import { bootstrapFixtures } from './edge.js'
import type { ServiceSettings, StartFlags } from './flags.js'
import { stateOf } from './service-variables.js'
import { startEvents } from './start-events.js'

/**
 * The start data of a server: the files that flags name, and the values of Unleash's own variables. Fixtures are not
 * tried out.
 */
export async function readStartSources(flags: StartFlags, warn: (message: string) => void): Promise<Sources> {
  return withService(flags, await readUntried(flags, warn))
}

/** The start data for a running server: all files are tried out. */
export async function readAgain(flags: StartFlags, warn: (message: string) => void): Promise<Sources> {
  return withService(flags, await readSources(flags, warn))
}

/** Throws the error that names the file that can't be loaded, if a file is the cause. */
export async function tryStartSources(flags: StartFlags, sources: Sources): Promise<void> {
  await tryFixtures(flags, sources)
  const { file } = flags.service ?? {}
  if (file !== undefined) await tryOut(`IMPORT_FILE ${file}`, sources)
}

async function withService({ service, scenario, now, profile }: StartFlags, sources: Sources): Promise<Sources> {
  if (service === undefined) return sources
  const fixtures = [...sources.fixtures, ...(await edgeFixtures(service, sources, scenario)), stateOf(service)]
  const { file, enabledEnvironments } = service
  const start = () => createMock({ ...sources, fixtures, scenario, now, profile })
  const { projects, environments } = start().state()
  if (enabledEnvironments !== undefined) {
    const unknown = enabledEnvironments.filter((wanted) => !environments.some(({ name }) => name === wanted))
    if (unknown.length === 0) fixtures.push(onlyEnabled(enabledEnvironments, environments, projects))
    else {
      const names = environments.map(({ name }) => name).join(', ')
      const warning = `ENABLED_ENVIRONMENTS names unknown environments: ${unknown.join(', ')}. They are ignored. Known: ${names}.`
      if (!service.warnings.includes(warning)) service.warnings.push(warning)
    }
  }
  const secrets = new Set(service.apiTokens.map(({ secret }) => secret))
  if (file === undefined) return { ...sources, fixtures: [...fixtures, eventsOf(start, { secrets })] }
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
  const content = exportInto(await readExport(file), { project, environment }) as ExportFile
  fixtures.push(content as PartialState)
  const imported = { features: content.features, project, environment }
  return { ...sources, fixtures: [...fixtures, eventsOf(start, { secrets, imported })] }
}

/** As in Unleash, a disabled environment leaves its projects, which get the environments that are enabled now. */
function onlyEnabled(
  wanted: readonly string[],
  environments: ReturnType<Mock['state']>['environments'],
  projects: ReturnType<Mock['state']>['projects'],
): PartialState {
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

interface ExportFile {
  features: readonly { name: string }[]
}

function eventsOf(start: () => Mock, made: Parameters<typeof startEvents>[2]): PartialState {
  try {
    const { sessions, profile } = start()[CORE]
    return { events: startEvents(sessions.unnamed.world().data.tables, profile.systemUser, made) }
  } catch {
    // The start fails for the same reason, and its error names the file.
    return {}
  }
}

/** The fixtures for Edge's offline mode, with the projects and environments that only tokens name. */
async function edgeFixtures(
  { bootstrap, apiTokens }: ServiceSettings,
  sources: Sources,
  scenario: StartFlags['scenario'],
): Promise<Sources['fixtures']> {
  if (bootstrap === undefined) return []
  const content = await readNamed('BOOTSTRAP_FILE', bootstrap)
  const environments = [...new Set(apiTokens.map(({ environment }) => environment).filter((name) => name !== '*'))]
  const flags = bootstrapFixtures(bootstrap, content, environments) as PartialState[]
  const options = { ...sources, fixtures: [...sources.fixtures, ...flags], scenario }
  await tryOut(`BOOTSTRAP_FILE ${bootstrap}`, options)
  const known = createMock(options).state()
  const knownProjects = new Set(['*', ...known.projects.map(({ id }) => id)])
  const knownEnvironments = new Set(known.environments.map(({ name }) => name))
  const projects = [...new Set(apiTokens.flatMap((token) => token.projects))].filter((id) => !knownProjects.has(id))
  const missing = environments.filter((name) => !knownEnvironments.has(name))
  return [...flags, { projects: projects.map((id) => ({ id })), environments: missing.map((name) => ({ name })) }]
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
  if (formatOf(content) === 'export') return content as object
  throw new UsageError(
    `IMPORT_FILE can't be "${file}": it is not an Unleash export file.`,
    'Export a file from Unleash, or pass your own data with --fixtures.',
  )
}
