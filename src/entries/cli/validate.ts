import { stat } from 'node:fs/promises'
import { faultOf } from '../../engine/errors/mock-errors.js'
import { createMock, createMockOf } from '../../engine/mock/mock.js'
import { CORE } from '../../engine/mock/session.js'
import { describeIdleRules } from '../../engine/scenarios/idle-rules.js'
import type { PartialState } from '../../engine/scenarios/scenario.js'
import { addState } from '../../engine/sessions/actions.js'
import type { SourcedFixture } from '../../engine/sessions/start.js'
import { nearMisses } from '../../engine/state/near-misses.js'
import { FORMATS, formatOf } from '../../engine/transfer/service-file.js'
import { hiddenIn, profiles } from '../../service/contract/profiles.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import { kindOf } from '../files/file-kind.js'
import { describeFault, FileError, placedIn, readJson } from '../files/json-file.js'
import { jsonFilesIn, readScenario, type ScenarioFile, scenarioChecker, tryOut } from '../files/sources.js'
import { UsageError } from '../files/usage-error.js'
import { type Io, USAGE } from './io.js'

/** The result for a file. */
interface Verdict {
  kind?: string
  /** The contents of the file, and the records created for it. */
  contents?: readonly string[]
  error?: FileError
  /** Valid, but probably not intended. */
  notices?: readonly DataFault[]
}

/** `flagdouble validate FILE…`: reports for each file whether it is valid, with every error and notice. */
export async function validate(paths: readonly string[], { stdout }: Io): Promise<number> {
  if (paths.length === 0) {
    throw new UsageError('validate needs a file.', 'Pass files or folders: flagdouble validate my.json')
  }
  const verdicts = new Map<string, Verdict>()
  const scenarioFiles: ScenarioFile[] = []
  const fixtures: SourcedFixture[] = []
  const judge = async (file: string, verdict: Verdict, check: () => Promise<void>) => {
    verdicts.set(file, verdict)
    await check().catch((error: unknown) => {
      verdict.error = expectFileError(error)
    })
  }
  const readings: (() => Promise<void>)[] = []
  for (const file of await filesOf(paths)) {
    const verdict: Verdict = {}
    await judge(file, verdict, async () => {
      const given = await readJson(file)
      const kind = kindOf(file, given)
      verdict.kind = kind
      const readNow = async () => {
        scenarioFiles.push({ file, scenario: readScenario(file, given, fixtures) })
      }
      if (kind === 'scenario') readings.push(() => judge(file, verdict, readNow))
      else {
        Object.assign(verdict, describeServiceFile(given))
        const fixture = { state: given as PartialState, source: file }
        const before = createMockOf({}, fixtures).features
        const mock = await tryOut({}, [...fixtures, fixture], file)
        const { tables } = mock[CORE].sessions.unnamed.world().data
        const found = nearMisses(tables, (flag) => before.get(flag) !== undefined)
        verdict.notices = found.map((message) => ({ path: '', message }))
        verdict.contents = [...(verdict.contents ?? []), ...hiddenOf(fixtures, fixture)]
        fixtures.push(fixture)
      }
    })
  }
  // A scenario starts on all given fixtures, wherever they are in the list.
  for (const readScenarioFile of readings) await readScenarioFile()
  const check = scenarioChecker(scenarioFiles, fixtures)
  for (const scenarioFile of scenarioFiles) {
    const notices = describeIdleRules(scenarioFile.scenario.force)
    await judge(scenarioFile.file, { kind: 'scenario', notices }, () => check(scenarioFile))
  }
  for (const [file, verdict] of verdicts) stdout.write(describeVerdict(file, verdict))
  return [...verdicts.values()].some(({ error }) => error !== undefined) ? USAGE : 0
}

/** The format of an Unleash file, and its contents in the default scenario. */
function describeServiceFile(given: unknown): Verdict {
  const format = formatOf(given)
  if (format === undefined) return {}
  const contents: string[] = []
  // Its errors are those of the start.
  faultOf(() => {
    const file = addState(createMock()[CORE].sessions.unnamed.world(), given)
    if (file !== undefined) contents.push(...file.contents, ...file.leftOut)
  })
  return { kind: FORMATS[format], contents }
}

/** The records of a fixture that profiles hide. */
function hiddenOf(others: readonly SourcedFixture[], given: SourcedFixture): string[] {
  const before = createMockOf({}, others).state()
  const { projects, environments } = createMockOf({}, [...others, given]).state()
  const own = {
    projects: projects.filter(({ id }) => !before.projects.some((one) => one.id === id)),
    environments: environments.filter(({ name }) => !before.environments.some((one) => one.name === name)),
  }
  return Object.values(profiles).flatMap((profile) => hiddenIn(profile, own))
}

function describeVerdict(file: string, { kind, contents = [], error, notices = [] }: Verdict): string {
  const seen = kind === undefined ? '' : ` (${kind})`
  const word = error !== undefined ? 'bad ' : notices.length > 0 ? 'warn' : 'ok  '
  const found = [...(error?.faults ?? []), ...placedIn(file, notices)]
  const lines = [...(error === undefined ? contents : []), ...found.map(describeFault)]
  // A fault inside a file says what belongs there.
  if (error?.faults.every(({ path }) => path === '')) lines.push(error.hint)
  return `${word} ${file}${seen}\n${lines.map((line) => `     ${line}\n`).join('')}`
}

/** The given files, and the `.json` files in given folders. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    const inside = found?.isDirectory() ? await jsonFilesIn(path) : [path]
    if (inside.length === 0) {
      throw new UsageError(`The folder ${path} has no .json file.`, 'Pass files, or a folder that contains some.')
    }
    files.push(...inside)
  }
  return [...new Set(files)]
}

function expectFileError(error: unknown): FileError {
  if (error instanceof FileError) return error
  throw error
}
