import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { scenarios as builtIn } from '../../../scenarios/index.js'
import { faultOf, MockError } from '../../engine/errors/mock-errors.js'
import { createMockOf, type Mock, type MockOptions } from '../../engine/mock/mock.js'
import { CORE } from '../../engine/mock/session.js'
import { Catalogue } from '../../engine/scenarios/catalogue.js'
import { type PartialState, parseScenario, type Scenario } from '../../engine/scenarios/scenario.js'
import type { SourcedFixture } from '../../engine/sessions/start.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import type { Tables } from '../../service/resources/tables.js'
import { systemCode } from '../../support/errors.js'
import { isObject } from '../../support/json.js'
import { sentence } from '../../support/text.js'
import { kindOf } from './file-kind.js'
import { describeSystemError, FileError, isJsonText, readJson, readJsonText, wholeFile } from './json-file.js'

/**
 * Returns a function that reads a mock's sources again, and restarts the mock if they have changed. It resolves to
 * whether they have, one call after the other. For invalid sources it rejects, and the previous sources stay in use.
 */
export function createReload(mock: Mock, first: Sources, read: () => Promise<Sources>): () => Promise<boolean> {
  // The mock's own files in the folder aren't changes.
  const textOf = ({ scenarios, fixtures }: Sources) => {
    const given = scenarios.filter((scenario) => !mock[CORE].catalogue.isSaved(scenario))
    return JSON.stringify([given, fixtures])
  }
  let loaded = textOf(first)
  let reloading: Promise<unknown> = Promise.resolve()
  const { sessions } = mock[CORE]
  const reload = async () => {
    const sources = await read()
    const text = textOf(sources)
    const hasChanged = text !== loaded
    if (hasChanged) {
      mock[CORE].reload({ scenarios: sources.scenarios }, sources.fixtures)
      loaded = text
      await mock.ready
    }
    sessions.setFileNotice('sources', undefined)
    return hasChanged
  }
  return () => {
    const next = reloading.then(reload).catch((error: unknown) => {
      throw inFile(undefined, error)
    })
    reloading = next.catch((error: Error) =>
      sessions.setFileNotice('sources', `${sentence(error.message)} The previous files are used.`),
    )
    return next
  }
}

/** The contents of scenario and fixture files. */
export interface Sources {
  scenarios: readonly Scenario[]
  fixtures: readonly SourcedFixture[]
}

export interface ScenarioFile {
  file: string
  scenario: Scenario
}

interface SourceFlags {
  fixtures: readonly string[]
  scenarios?: string
}

type Warn = (message: string) => void

/** The name of JSON that takes the place of a file, in errors. */
const GIVEN_JSON = 'the given JSON'

/**
 * Reads all files named by flags. With `warn`, it leaves out a scenario whose base is missing: a saved scenario outlives its
 * base. Otherwise, that is an error. It tries out only scenarios: the error of a mock with a broken fixture names its file.
 */
export async function readSources(flags: SourceFlags, warn?: Warn): Promise<Sources> {
  const fixtures: Sources['fixtures'][number][] = []
  for (const file of flags.fixtures) {
    const isText = isJsonText(file)
    const name = isText ? GIVEN_JSON : file
    const given = isText ? readJsonText(name, file) : await readJson(file)
    if (kindOf(name, given) === 'scenario') {
      throw wholeFile(name, 'is a scenario, not a fixture', 'Put it into a folder and pass --scenarios FOLDER.')
    }
    fixtures.push({ state: given as PartialState, source: name, ...(isText ? {} : { file: relative('', file) }) })
  }
  const files = flags.scenarios === undefined ? [] : await jsonFilesIn(flags.scenarios)
  if (flags.scenarios !== undefined && warn !== undefined) await warnOfUnread(flags.scenarios, files, warn)
  const all: ScenarioFile[] = []
  for (const file of files) all.push({ file, scenario: readScenario(file, await readJson(file), fixtures) })
  const scenarioFiles = warn === undefined ? all : withBases(all, warn)
  const check = scenarioChecker(scenarioFiles, fixtures)
  for (const scenarioFile of scenarioFiles) await check(scenarioFile)
  return { scenarios: scenarioFiles.map(({ scenario }) => scenario), fixtures }
}

/** Whether a file in a folder is a scenario. Files with a leading dot belong to editors or to the system. */
export function isScenarioFile(file: string): boolean {
  return !basename(file).startsWith('.') && file.toLowerCase().endsWith('.json')
}

/** The `.json` files in a folder, sorted by name. */
export async function jsonFilesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names
      .filter(isScenarioFile)
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    const reason = systemCode(error) === 'ENOENT' ? 'there is no such folder' : describeSystemError(error)
    throw wholeFile(folder, reason, 'Pass a folder with one .json file per scenario.')
  }
}

/** Warns of files in a folder of scenarios that look like scenarios, but aren't read. */
async function warnOfUnread(folder: string, read: readonly string[], warn: Warn): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !isScenarioFile(name) && !name.startsWith('.'))
  const unread = read.length === 0 ? names : names.filter((name) => /\.(?:json[c5]|ya?ml|[cm]?[jt]s)$/i.test(name))
  if (unread.length > 0)
    warn(`Not read in ${folder}: ${unread.join(', ')}. Scenarios are .json files right in this folder.`)
}

/** Parses a file's content as a scenario. Throws a `FileError`. */
export function readScenario(file: string, given: unknown, fixtures: Sources['fixtures']): Scenario {
  try {
    return parseScenario(given, file)
  } catch (error) {
    throw inFile(file, error, seedFaults(given, fixtures))
  }
}

/** The errors in a scenario's data, independent of its other errors. */
function seedFaults(given: unknown, fixtures: Sources['fixtures']): DataFault[] {
  if (!isObject(given) || !isObject(given.seed)) return []
  try {
    const scenario = typeof given.extends === 'string' ? given.extends : undefined
    const mock = createMockOf({ scenario }, fixtures)
    if (given.extends === undefined && given.seed.apiTokens !== undefined) mock.restore(given.seed)
    else mock.add(given.seed)
    return []
  } catch (error) {
    const faults = error instanceof MockError ? error.faults : []
    return faults.map(({ path, message }) => ({ path: path.replace('$', '$.seed'), message }))
  }
}

/**
 * Returns a function that starts a scenario on the fixtures, together with the others. It rejects with a `FileError` if the
 * scenario can't start, or has the name of another.
 */
export function scenarioChecker(
  files: readonly ScenarioFile[],
  fixtures: Sources['fixtures'],
): (scenarioFile: ScenarioFile) => Promise<void> {
  const catalogue = catalogueOf(files)
  // Without files, a mock can always start. All scenarios are tried in its session.
  const session = createMockOf({}, [])[CORE].sessions.unnamed
  return async ({ file, scenario: { name } }) => {
    const twin = files.find((other) => other.file !== file && other.scenario.name === name)
    if (twin !== undefined) {
      const fault = { path: '$.name', message: `"${name}" is also the name of the scenario in ${twin.file}` }
      throw new FileError(file, [fault], 'Give each scenario its own name.')
    }
    await session.startScratchWorld([name], { catalogue, fixtures }).catch((error: unknown) => {
      throw inFile(file, error)
    })
  }
}

/** The scenario files that have all their bases. */
function withBases(files: readonly ScenarioFile[], warn: Warn): ScenarioFile[] {
  const catalogue = catalogueOf(files)
  return files.filter(({ file, scenario: { name } }) => {
    const fault = faultOf(() => catalogue.layers([name]))
    const isBaseless = fault?.code === 'UNKNOWN_SCENARIO'
    if (isBaseless) warn(`${file} is left out: one of its bases is missing. ${fault?.problem}`)
    return !isBaseless
  })
}

function catalogueOf(files: readonly ScenarioFile[]): Catalogue {
  return new Catalogue([...builtIn, ...files.map(({ scenario }) => scenario)])
}

/** Starts a mock. Throws a `FileError` if it can't: it names the broken fixture, or else the given file. */
export async function tryOut(
  options: Omit<MockOptions, 'fixtures'>,
  fixtures: Sources['fixtures'],
  file?: string,
): Promise<Mock> {
  try {
    const mock = createMockOf(options, fixtures)
    await mock.ready
    return mock
  } catch (error) {
    throw inFile(file, error)
  }
}

/** The error with the name of its file: the file that it is about, or else the given one. */
export function inFile(given: string | undefined, error: unknown, more: readonly DataFault[] = []): unknown {
  if (!(error instanceof MockError)) return error
  const { file = given } = error
  if (file === undefined) return error
  const isNew = ({ path, message }: DataFault) =>
    !error.faults.some((one) => one.path === path && one.message === message)
  const faults = [...error.faults, ...more.filter(isNew)]
  if (faults.length > 1) return new FileError(file, faults, `\`flagdouble validate ${file}\` lists them all.`)
  return new FileError(file, faults.length === 0 ? [{ path: '', message: error.problem }] : faults, error.hint)
}

/** The records in a file that `flagdouble pull` wrote, without built-in features. Throws a `FileError`. */
export async function recordsIn(file: string): Promise<Tables> {
  const { fixtures } = await readSources({ fixtures: [file] })
  const mock = await tryOut({ scenario: 'empty' }, fixtures)
  return mock[CORE].sessions.unnamed.world().data.tables
}
