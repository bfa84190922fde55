// Prints "PASSED FAILED" of a JSON report of Vitest. A run that ends badly without a failing test counts as one failure:
// a file that can't be loaded, an error outside of tests, or no report at all.
import { existsSync, readFileSync } from 'node:fs'

const [report = '', exitCode = '0'] = process.argv.slice(2)
const { numPassedTests = 0, numFailedTests = 0 } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
const failed = numFailedTests === 0 && (exitCode !== '0' || numPassedTests === 0) ? 1 : numFailedTests
process.stdout.write(`${numPassedTests} ${failed}\n`)
