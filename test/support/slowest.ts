import type { Reporter, TestModule } from 'vitest/node'

/** Ends the log of a run with its ten slowest suites, to make slow tests visible. */
export class SlowestSuites implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules.map((module) => ({ path: module.relativeModuleId, ms: module.diagnostic().duration }))
    if (timed.length <= 10) return
    const slowest = timed.sort((a, b) => b.ms - a.ms).slice(0, 10)
    const lines = slowest.map(({ path, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${path}`)
    process.stdout.write(`\nThe ten slowest suites:\n${lines.join('\n')}\n`)
  }
}
