import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readJson } from '../../src/entries/files/json-file.js'
import { createMock, type PartialState, type State } from '../../src/index.js'
import { tables } from '../../src/service/resources/tables.js'
import { FIXED } from '../support/adapters.js'
import { sampleOf } from '../support/samples.js'

/** The state of a mock that is restored from given data. */
function restored(given: unknown): State {
  const mock = createMock(FIXED)
  mock.restore(given as PartialState)
  return mock.state()
}

it('every field of every kind of record survives: seed, state, seed, file, state', async () => {
  const records = Object.fromEntries(Object.entries(tables).map(([name, { record }]) => [name, [sampleOf(record)]]))
  const first = restored({ ...records, features: [{ name: 'parent', project: '1' }, ...(records.features ?? [])] })
  const file = join(mkdtempSync(join(tmpdir(), 'flagdouble-')), 'state.json')
  writeFileSync(file, JSON.stringify(restored(first)))
  const last = restored(await readJson(file))
  expect({ ...last, features: last.features.slice(1) }).toMatchObject(records)
})
