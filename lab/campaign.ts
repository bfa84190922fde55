import { join } from 'node:path'
import { detailsOf } from '../test/fidelity/compare.js'
import { isUnexplained, type Observed, Pair, runAgain, type Servers } from './pair.js'
import { writeRecording } from './record.js'
import { Requests } from './requests.js'
import { likelyParts, shrunk } from './shrink.js'

const STEPS = 150
const STEPS_BETWEEN_RESTARTS = 60

/** Sends the requests of a seed to new servers. */
export async function runSeed(
  seed: number,
  only: string,
  servers: Servers,
  isOver: () => boolean,
): Promise<Observed[]> {
  const requests = new Requests(seed, only)
  const pair = await Pair.fresh(servers)
  const observed: Observed[] = []
  const send = async (request: Observed['request']) => {
    const one = await pair.send(request)
    requests.learn(request, one.response)
    observed.push(one)
  }
  for (const request of requests.start()) await send(request)
  for (let step = 0; step < STEPS && !isOver(); step += 1) {
    if (step % STEPS_BETWEEN_RESTARTS === STEPS_BETWEEN_RESTARTS - 1) await pair.restart()
    await send(requests.next(step))
  }
  observed.push(await pair.sendAtOnce(requests.next(STEPS), 4))
  return observed
}

/** The unexplained differences. Those of a value, in whichever operation, probably have one cause. */
const signature = ({ operation, differences }: Observed) =>
  differences
    .filter(({ row }) => row === undefined)
    .flatMap(({ difference }) => {
      const { place, kind } = difference
      const where = kind === 'value' ? (place.match(/[^.]*$/u)?.[0] ?? '') : `${operation} ${place}`
      return detailsOf(difference).map((detail) => `${where} ${kind} ${detail}`)
    })

const textOf = ({ request: { path, body } }: Observed) => `${path} ${JSON.stringify(body ?? '')}`
const isChange = ({ request, response }: Observed) => request.method !== 'GET' && response.status < 400

/**
 * Shrinks the sequence up to an unexplained difference to the fewest requests that show it, and writes them as a recording.
 * Returns the name of the file, or undefined if the difference doesn't come back on new servers.
 */
export async function recordSmallest(
  sequence: readonly Observed[],
  servers: Servers,
  folder: string,
  isOver: () => boolean,
): Promise<string | undefined> {
  const last = sequence.at(-1)
  const wanted = last === undefined ? [] : signature(last)
  const fails = async (part: readonly Observed[]) => {
    if (isOver()) return false
    const end = (await runAgain(part, servers)).at(-1)
    return end !== undefined && signature(end).some((one) => wanted.includes(one))
  }
  let failing: readonly Observed[] | undefined
  for (const part of likelyParts(sequence, textOf, isChange))
    if (failing === undefined && (await fails(part))) failing = part
  if (last === undefined || failing === undefined) return undefined
  const observed = await runAgain(await shrunk(failing, fails), servers)
  const place = last.differences.find(({ row }) => row === undefined)?.difference.place
  const name = `${last.operation ?? 'path'}-${place}`.replaceAll(/[^\w-]+/gu, '-').replace(/-$/u, '')
  writeRecording(join(folder, `${name}.json`), `The mock differs: ${wanted.join(', ')}`, observed)
  return name
}

/** The exchanges with a new unexplained difference. */
export function firstUnexplained(observed: readonly Observed[], known: Set<string>): number[] {
  return observed.flatMap((one, index) => {
    if (!isUnexplained(one)) return []
    const fresh = signature(one).filter((text) => !known.has(text))
    for (const text of fresh) known.add(text)
    return fresh.length > 0 ? [index] : []
  })
}
