// Prints "PASSED FAILED" from a JSON report of Vitest. An unloadable file counts as one failure, and so does a run that
// fails without a failed test: after an error outside of tests, or without a report.
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
const reported = numFailedTests + unloaded.length
const failed = reported === 0 && (exitCode !== '0' || numPassedTests === 0) ? 1 : reported
process.stdout.write(`${numPassedTests} ${failed}\n`)
