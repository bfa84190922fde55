import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, Pairs, withoutProse } from '../test/fidelity/compare.js'
import type { Exchange, FidelityRequest, Recording } from '../test/fidelity/exchange.js'
import type { Unleash } from './unleash.js'

/** Sends the requests of all recordings to Unleash again, and replaces the responses. */
export async function recordAgain(folder: string, unleash: Unleash, only = ''): Promise<void> {
  for (const file of readdirSync(folder).filter((name) => name.includes(only))) {
    const path = join(folder, file)
    const { title, recordedOn, exchanges }: Recording = JSON.parse(readFileSync(path, 'utf8'))
    const server = await unleash.fresh()
    const pairs = new Pairs()
    const again: Exchange[] = []
    for (const { request, response } of exchanges) {
      await unleash.runJobs()
      const sent: FidelityRequest = JSON.parse(pairs.translate(JSON.stringify(request)).replaceAll(recordedOn, today()))
      const actual = await server.send(sent)
      pairs.remember(request)
      compare(response, actual, pairs)
      again.push({ request: sent, response: actual })
    }
    writeRecording(path, title, again)
  }
}

const today = () => new Date().toISOString().slice(0, 10)

/** Writes a recording. Of the texts of Unleash, it keeps the names alone. */
export function writeRecording(path: string, title: string, exchanges: readonly Exchange[]): void {
  const pairs = new Pairs()
  const kept = exchanges.map(({ request, response }) => {
    pairs.remember(request)
    return { request, response: withoutProse(response, pairs) }
  })
  const recording: Recording = { title, recordedOn: today(), exchanges: kept }
  writeFileSync(path, `${JSON.stringify(recording, null, 2)}\n`)
}
