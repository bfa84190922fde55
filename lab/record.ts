import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../src/support/json.js'
import { compare, factsOf, Pairs, PROSE_FIELDS } from '../test/fidelity/compare.js'
import type { Exchange, FidelityRequest, FidelityResponse, Recording } from '../test/fidelity/exchange.js'
import type { Unleash } from './unleash.js'

/** Sends the requests of all recordings to Unleash again, and replaces the responses. */
export async function recordAgain(folder: string, unleash: Unleash, only = ''): Promise<void> {
  for (const file of readdirSync(folder).filter((name) => name.includes(only))) {
    const path = join(folder, file)
    const recording: Recording = JSON.parse(readFileSync(path, 'utf8'))
    writeRecording(path, await recorded(recording, unleash))
  }
}

async function recorded({ title, recordedOn, exchanges }: Recording, unleash: Unleash): Promise<Recording> {
  const server = await unleash.fresh()
  await server.addUsers()
  const today = new Date().toISOString().slice(0, 10)
  const pairs = new Pairs()
  const again: Exchange[] = []
  for (const { request, response } of exchanges) {
    await unleash.runJobs()
    const sent = JSON.parse(pairs.translate(JSON.stringify(request)).replaceAll(recordedOn, today)) as FidelityRequest
    const actual = await server.send(sent)
    pairs.remember(request)
    compare(response, actual, pairs)
    again.push({ request: sent, response: actual })
  }
  return { title, recordedOn: today, exchanges: again }
}

/** Writes a recording. Of the texts of Unleash, it keeps the names alone. */
export function writeRecording(path: string, { exchanges, ...about }: Recording): void {
  const pairs = new Pairs()
  const kept = exchanges.map(({ request, response }) => {
    pairs.remember(request)
    return { request, response: withoutProse(response, pairs) }
  })
  writeFileSync(path, `${JSON.stringify({ ...about, exchanges: kept }, null, 2)}\n`)
}

function withoutProse(response: FidelityResponse, pairs: Pairs): FidelityResponse {
  const strip = (value: unknown, isProse = false): unknown => {
    if (typeof value === 'string') return isProse && !pairs.wasSent(value) ? factsOf(value) : value
    if (Array.isArray(value)) return value.map((item) => strip(item, isProse))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, strip(item, PROSE_FIELDS.includes(name))]),
    )
  }
  return 'body' in response ? { ...response, body: strip(response.body) } : response
}
