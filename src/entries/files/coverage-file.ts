import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expectOptions, invalidArgument } from '../../engine/errors/arguments.js'
import { MockError } from '../../engine/errors/mock-errors.js'
import { COVERAGE_WANTED, type FlagReport, wordsOf } from '../../engine/mock/flag-report.js'
import { type CoverageReport, CoverageSum } from '../../engine/sessions/flag-coverage.js'
import { reasonOf } from '../../support/errors.js'
import { isObject } from '../../support/json.js'
import { describeSystemError, wholeFile } from './json-file.js'
import { recordsIn } from './sources.js'

/** The options of the reporters. */
export interface FlagCoverageOptions {
  /** The file for the counts as JSON, such as `flag-coverage.json`. Default: none is written. */
  outputFile?: string | undefined
  /** A file that `flagdouble pull` wrote in production, to compare the tests with. */
  against?: string | undefined
}

/** The version of the format of files. */
const FORMAT = 1

/** The flag coverage of a run of tests. */
export class RunCoverage {
  readonly #sum = new CoverageSum()
  readonly #options: FlagCoverageOptions
  #isEmpty = true

  /** Throws `INVALID_OPTION` for an unknown option, and for a missing file. */
  constructor(options: FlagCoverageOptions, reporter: string) {
    expectOptions(options, reporter, ['outputFile', 'against'])
    for (const [name, file] of Object.entries(options)) {
      if (file !== undefined && typeof file !== 'string') throw invalidArgument(`The option ${name}`, 'a path', file)
    }
    const { against } = options
    if (against !== undefined && !existsSync(against)) {
      const problem = `${reporter}: The file ${against} of the option against doesn't exist.`
      throw new MockError(
        'INVALID_OPTION',
        problem,
        'Write it with flagdouble pull. Its path is relative to the current folder.',
      )
    }
    this.#options = options
    process.env[COVERAGE_WANTED] = '1'
  }

  /** Adds the report of a test. */
  add(report: CoverageReport | undefined): void {
    if (report === undefined) return
    this.#isEmpty = false
    this.#sum.add(report)
  }

  /** Writes the file and prints the report, unless no test used a mock. */
  async end(): Promise<void> {
    if (this.#isEmpty) return
    const { outputFile, against } = this.#options
    const report = this.#sum.report()
    if (outputFile !== undefined) writeCoverage(outputFile, report)
    let lines = wordsOf(report).lines
    try {
      if (against !== undefined) ({ lines } = wordsOf(report, await recordsIn(against)))
    } catch (error) {
      lines.push(`  Not compared with production: ${reasonOf(error)}`)
      process.exitCode = 1
    }
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}

export function writeCoverage(file: string, report: CoverageReport): void {
  try {
    writeFileSync(file, `${JSON.stringify({ flagCoverage: FORMAT, ...report }, undefined, 2)}\n`)
  } catch (error) {
    throw wholeFile(file, `can't be written: ${describeSystemError(error)}`, 'Choose another place.')
  }
}

/** The sum of files in words. */
export async function readCoverage(files: readonly string[], against?: string): Promise<FlagReport> {
  const sum = new CoverageSum()
  for (const file of files) sum.add(coverageIn(file))
  return wordsOf(sum.report(), against === undefined ? undefined : await recordsIn(against))
}

function coverageIn(file: string): CoverageReport {
  const hint = 'Pass files that a reporter wrote (outputFile), or exec with --flag-coverage-file.'
  try {
    const given: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isCoverage(given)) return given
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : `can't be read: ${describeSystemError(error)}`
    throw wholeFile(file, reason, hint)
  }
  throw wholeFile(file, 'is not a file with flag coverage of this version', hint)
}

function isCoverage(given: unknown): given is CoverageReport {
  return isObject(given) && given.flagCoverage === FORMAT && Array.isArray(given.flags)
}
