import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startCli } from '../support/cli.js'
import { compare, operationOf, Pairs } from './compare.js'
import { explainedBy } from './differences.js'
import { INIT_VARIABLES, type Recording, Server, UNLEASH_8 } from './exchange.js'

const folder = new URL('recorded/', import.meta.url)

describe('the mock responds as Unleash 8.2.0 did, apart from the listed differences', () => {
  it.each(readdirSync(folder).map((file) => file.replace('.json', '')))('%s', async (name) => {
    const recording: Recording = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
    const server = new Server((await startCli(UNLEASH_8, { env: INIT_VARIABLES })).at)
    const pairs = new Pairs(await server.addUsers())
    const today = new Date().toISOString().slice(0, 10)
    const unexplained = []
    for (const { request, response } of recording.exchanges) {
      pairs.remember(request)
      const actual = await server.send(request, (text) => pairs.translate(text).replaceAll(recording.recordedOn, today))
      for (const difference of compare(response, actual, pairs)) {
        if (explainedBy({ operation: operationOf(request), request, response, actual, difference }) === undefined)
          unexplained.push({ path: request.path, ...difference })
      }
    }
    expect(unexplained).toEqual([])
  })
})
