import { stat } from 'node:fs/promises'
import type { PartialState } from '../scenarios/scenario.js'
import { USAGE } from './errors.js'
import { type Io, UsageError } from './io.js'
import { describeFault, FileError, readJson } from './json-file.js'
import { checkFixture, checkScenario, jsonFilesIn, readScenario, type ScenarioFile } from './sources.js'

/** Properties that only scenarios have. */
const SCENARIO_MARKS = ['name', 'title', 'promise', 'extends', 'force', 'seed']

/** `flagdouble validate FILE…`: reports for each file whether it can be used, with every error. */
export async function validate(paths: readonly string[], { stdout }: Io): Promise<number> {
  if (paths.length === 0) {
    throw new UsageError('validate needs a file to check.', 'Pass files or folders: flagdouble validate my.json')
  }
  const verdicts = new Map<string, string | FileError>()
  const scenarioFiles: ScenarioFile[] = []
  const judge = async (file: string, kind: string, check: () => Promise<void>) => {
    verdicts.set(file, await check().then(() => kind, expectFileError))
  }
  for (const file of await filesOf(paths)) {
    await judge(file, 'fixture', async () => {
      const given = await readJson(file)
      if (isScenario(given)) scenarioFiles.push({ file, scenario: readScenario(file, given) })
      else await checkFixture(file, { fixtures: [given as PartialState] })
    })
  }
  for (const scenarioFile of scenarioFiles) {
    await judge(scenarioFile.file, 'scenario', () => checkScenario(scenarioFile, scenarioFiles))
  }
  for (const [file, verdict] of verdicts) stdout.write(describeVerdict(file, verdict))
  return [...verdicts.values()].some((verdict) => typeof verdict !== 'string') ? USAGE : 0
}

function describeVerdict(file: string, verdict: string | FileError): string {
  if (typeof verdict === 'string') return `ok   ${file} (${verdict})\n`
  return `bad  ${file}\n${verdict.faults.map((fault) => `     ${describeFault(fault)}\n`).join('')}`
}

/** The given files, and the `.json` files in given folders. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    files.push(...(isFolder ? await jsonFilesIn(path) : [path]))
  }
  return [...new Set(files)]
}

function isScenario(given: unknown): boolean {
  return typeof given === 'object' && given !== null && SCENARIO_MARKS.some((mark) => Object.hasOwn(given, mark))
}

function expectFileError(error: unknown): FileError {
  if (error instanceof FileError) return error
  throw error
}
