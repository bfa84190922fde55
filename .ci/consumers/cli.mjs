// Run by `flagdouble exec`, which has started a server and set its URL.
import assert from 'node:assert/strict'

const { status, headers } = await fetch(`${process.env.FLAGDOUBLE_URL}/health`)
assert.deepEqual([status, headers.get('x-mock-scenario')], [200, 'default'])
await assert.rejects(fetch(`${process.env.FLAGDOUBLE_URL}/health?scenario=offline`))
