/**
 * A reporter for Jest: the flags that the tests saw only on, only off, or never.
 *
 * @module
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FlagCoverageOptions, RunCoverage } from '../../files/coverage-file.js'
import { COVERAGE_FILE, COVERAGE_FOLDER } from '../runners/coverage.js'

export type { FlagCoverageOptions }

/**
 * Prints the flag coverage after the run, with the options of the reporter for Vitest. Needs Jest 30 or newer, with the preset or `withFlagdouble`.
 *
 * @example
 * reporters: ['default', ['flagdouble/jest/reporter', { outputFile: 'flag-coverage.json' }]]
 */
export default class JestCoverageReporter {
  readonly #coverage: RunCoverage
  /** The folder in which the workers leave the counts of their test files. */
  #folder: string | undefined

  constructor(_config: unknown, options: FlagCoverageOptions = {}) {
    this.#coverage = new RunCoverage(options, 'flagdouble/jest/reporter')
  }

  /** Before Jest starts its workers, which inherit the variable. */
  onRunStart(): void {
    this.#folder = mkdtempSync(join(tmpdir(), 'flagdouble-'))
    process.env[COVERAGE_FOLDER] = this.#folder
  }

  /** Reads the counts and prints the report. */
  async onRunComplete(): Promise<void> {
    const folder = this.#folder
    if (folder === undefined) return
    try {
      for (const name of readdirSync(folder)) {
        for (const report of JSON.parse(readFileSync(join(folder, name, COVERAGE_FILE), 'utf8')))
          this.#coverage.add(report)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
    await this.#coverage.end()
  }
}
