// Prints "PASSED FAILED" of a JSON report of Vitest. A file that can't be loaded counts as one failure, and so does a run
// that ends badly without telling why: by an error outside of tests, or with no report at all.
import { existsSync, readFileSync } from 'node:fs'

const [report = '', exitCode = '0'] = process.argv.slice(2)
const {
  numPassedTests = 0,
  numFailedTests = 0,
  testResults = [],
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
const unloaded = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
)
const told = numFailedTests + unloaded.length
const failed = told === 0 && (exitCode !== '0' || numPassedTests === 0) ? 1 : told
process.stdout.write(`${numPassedTests} ${failed}\n`)
