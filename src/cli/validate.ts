import { stat } from 'node:fs/promises'
import type { DataFault } from '../contract/mock-errors.js'
import { type FileKind, kindOf } from '../files/file-kind.js'
import { describeFault, FileError, readJson } from '../files/json-file.js'
import { byName, checkFixture, checkScenario, jsonFilesIn, readScenario, type ScenarioFile } from '../files/sources.js'
import { UsageError } from '../files/usage-error.js'
import { describeIdleRules } from '../scenarios/idle-rules.js'
import type { PartialState } from '../scenarios/scenario.js'
import type { Io } from './io.js'
import { USAGE } from './main.js'

/** What was found out about a file. */
interface Verdict {
  kind?: FileKind
  error?: FileError
  /** What works, but hardly as it is meant. */
  warnings?: readonly DataFault[]
}

/** `flagdouble validate FILE…`: reports for each file whether it can be used, with every error and warning. */
export async function validate(paths: readonly string[], { stdout }: Io): Promise<number> {
  if (paths.length === 0) {
    throw new UsageError('validate needs a file to check.', 'Pass files or folders: flagdouble validate my.json')
  }
  const verdicts = new Map<string, Verdict>()
  const scenarioFiles: ScenarioFile[] = []
  const judge = async (file: string, verdict: Verdict, check: () => Promise<void>) => {
    verdicts.set(file, verdict)
    await check().catch((error: unknown) => {
      verdict.error = expectFileError(error)
    })
  }
  for (const file of await filesOf(paths)) {
    const verdict: Verdict = {}
    await judge(file, verdict, async () => {
      const given = await readJson(file)
      verdict.kind = kindOf(file, given)
      if (verdict.kind === 'scenario') scenarioFiles.push({ file, scenario: readScenario(file, given) })
      else await checkFixture(file, { fixtures: [given as PartialState] })
    })
  }
  const named = byName(scenarioFiles)
  for (const scenarioFile of scenarioFiles) {
    const warnings = describeIdleRules(scenarioFile.scenario.force)
    await judge(scenarioFile.file, { kind: 'scenario', warnings }, () => checkScenario(scenarioFile, named))
  }
  for (const [file, verdict] of verdicts) stdout.write(describeVerdict(file, verdict))
  return [...verdicts.values()].some(({ error }) => error !== undefined) ? USAGE : 0
}

function describeVerdict(file: string, { kind, error, warnings = [] }: Verdict): string {
  const seen = kind === undefined ? '' : ` (${kind})`
  const word = error !== undefined ? 'bad ' : warnings.length > 0 ? 'warn' : 'ok  '
  const found = [...(error?.faults ?? []), ...warnings]
  return `${word} ${file}${seen}\n${found.map((fault) => `     ${describeFault(fault)}\n`).join('')}`
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

function expectFileError(error: unknown): FileError {
  if (error instanceof FileError) return error
  throw error
}
