/**
 * A reporter for Playwright: the flags that the tests saw only on, only off, or never.
 *
 * @module
 */
import { type FlagCoverageOptions, RunCoverage } from '../../files/coverage-file.js'
import { COVERAGE_ATTACHMENT } from '../runners/coverage.js'

export type { FlagCoverageOptions }

/** The part of a test's result with what the test attached. */
interface Attached {
  attachments: readonly { name: string; body?: { toString(encoding: 'utf8'): string } | undefined }[]
}

/**
 * Prints the flag coverage after the run, with the options of the reporter for Vitest. The counts come from the workers as attachments of the tests.
 *
 * @example
 * reporter: [['list'], ['flagdouble/playwright/reporter', { outputFile: 'flag-coverage.json' }]]
 */
export default class PlaywrightCoverageReporter {
  readonly #coverage: RunCoverage

  constructor(options: FlagCoverageOptions = {}) {
    // Playwright adds its own fields.
    const own = Object.entries(options).filter(([name]) => name !== 'configDir' && !name.startsWith('_'))
    this.#coverage = new RunCoverage(Object.fromEntries(own), 'flagdouble/playwright/reporter')
  }

  /** Reads the counts of a test. */
  onTestEnd(_: unknown, { attachments }: Attached): void {
    for (const { name, body } of attachments) {
      if (name === COVERAGE_ATTACHMENT && body !== undefined) this.#coverage.add(JSON.parse(body.toString('utf8')))
    }
  }

  /** Prints the report. */
  onEnd(): Promise<void> {
    return this.#coverage.end()
  }

  /** Other reporters print the tests. */
  printsToStdio(): boolean {
    return false
  }
}
