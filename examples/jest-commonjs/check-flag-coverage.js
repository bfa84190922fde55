/** Checks the file that the reporter has written. Your own project doesn't need this. */
const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')

const output = execFileSync('npx', ['flagdouble', 'flag-coverage', 'flag-coverage.json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
assert.match(output, /Evidence: 2 of 2 tests\n/)
assert.match(output, /new-checkout {2}only ON \(2 tests\)/)
