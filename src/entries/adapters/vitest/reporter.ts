/**
 * A reporter for Vitest: the flags that the tests saw only on, only off, or never.
 *
 * @module
 */
import type { CoverageReport } from '../../../engine/sessions/flag-coverage.js'
import { type FlagCoverageOptions, RunCoverage } from '../../files/coverage-file.js'

export type { FlagCoverageOptions }

/** What a test leaves for the reporter in its `meta`, which Vitest carries from any pool. */
interface Meta {
  flagCoverage?: CoverageReport
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
  readonly #coverage: RunCoverage
  #usesModules = false

  constructor(options: FlagCoverageOptions = {}) {
    this.#coverage = new RunCoverage(options, 'flagdouble/vitest/reporter')
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

  #report(metas: readonly Meta[]): Promise<void> {
    for (const { flagCoverage } of metas) this.#coverage.add(flagCoverage)
    return this.#coverage.end()
  }
}
