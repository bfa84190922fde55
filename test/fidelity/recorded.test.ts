import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { createMock } from '../../src/index.js'
import { expectListed } from '../support/compared.js'

interface Recorded {
  request?: { method: string; path: string }
}

const folder = process.env.FLAGDOUBLE_RECORDINGS ?? ''

it.skipIf(folder === '')('the operations in the recordings are listed', async () => {
  const core = createMock()[CORE]
  const called = readdirSync(folder).flatMap((file) => {
    const items: Recorded[] = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return items.flatMap(({ request }) => {
      const id = request && core.match(request.method, `http://localhost${request.path}`, true)
      return id === undefined || id === 'control' || id === 'otherMethod' ? [] : [id]
    })
  })
  expect(called.length).toBeGreaterThan(0)
  await expectListed(called, 'operations.txt')
})
