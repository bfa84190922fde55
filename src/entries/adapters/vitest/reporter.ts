/**
 * A reporter for Vitest: the flags that the tests saw only on, only off, or never.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { reportOf, sumOfCoverage } from '../../../engine/mock/flag-report.js'
import type { FlagCoverage } from '../../../engine/sessions/flag-coverage.js'
import { recordsIn } from '../../files/sources.js'

export interface FlagCoverageOptions {
  /** The file for the counts as JSON, such as `flag-coverage.json`. Default: none is written. */
  outputFile?: string | undefined
  /** A file that `flagdouble pull` wrote in production, to compare the tests with. */
  against?: string | undefined
}

/** What a test leaves for the reporter in its `meta`, which Vitest carries from any pool. */
interface Meta {
  flagCoverage?: FlagCoverage[]
}

/** A task before Vitest 3: a file, a suite or a test. */
interface Task {
  meta: Meta
  tasks?: readonly Task[]
}

/** A file since Vitest 3. */
interface Module {
  children: { allTests(): Iterable<{ meta(): object }> }
}

/**
 * Prints the flag coverage after the run.
 *
 * @example
 * reporters: ['default', ['flagdouble/vitest/reporter', { outputFile: 'flag-coverage.json' }]]
 */
export default class FlagCoverageReporter {
  readonly #options: FlagCoverageOptions
  #usesModules = false

  constructor(options: FlagCoverageOptions = {}) {
    this.#options = options
  }

  /** Since Vitest 3. */
  async onTestRunEnd(modules: readonly Module[]): Promise<void> {
    this.#usesModules = true
    await this.#report(modules.flatMap(({ children }) => [...children.allTests()].map((test): Meta => test.meta())))
  }

  /** Before Vitest 4. */
  async onFinished(files: readonly Task[] = []): Promise<void> {
    const metas = (task: Task): Meta[] => [task.meta, ...(task.tasks ?? []).flatMap(metas)]
    if (!this.#usesModules) await this.#report(files.flatMap(metas))
  }

  async #report(metas: readonly Meta[]): Promise<void> {
    const { outputFile, against } = this.#options
    const coverages = metas.flatMap(({ flagCoverage }) => (flagCoverage === undefined ? [] : [flagCoverage]))
    if (coverages.length === 0) return
    const sums = sumOfCoverage(coverages)
    if (outputFile !== undefined) writeFileSync(outputFile, `${JSON.stringify(sums, undefined, 2)}\n`)
    const { lines } = reportOf(sums, 'test', against === undefined ? undefined : await recordsIn(against))
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}
