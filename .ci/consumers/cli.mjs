// Run by `flagdouble exec`: the installed command has started a server and says where it is.
import assert from 'node:assert/strict'

const { status, headers } = await fetch(`${process.env.FLAGDOUBLE_URL}/health`)
assert.deepEqual([status, headers.get('x-mock-scenario')], [200, 'default'])
