import { compare, type Difference, operationOf, Pairs } from '../test/fidelity/compare.js'
import { explainedBy, type KnownDifference } from '../test/fidelity/differences.js'
import type { Exchange, FidelityRequest, FidelityResponse, Server } from '../test/fidelity/exchange.js'
import type { Flagdouble } from './flagdouble.js'
import type { Unleash } from './unleash.js'

export interface Servers {
  unleash: Unleash
  flagdouble: Flagdouble
}

/** A request to both servers, with its responses. */
export interface Observed extends Exchange {
  operation: string | undefined
  actual: FidelityResponse
  differences: readonly { difference: Difference; row: KnownDifference | undefined }[]
}

/** Some requests end the process of Unleash. */
const ENDED: FidelityResponse = { status: 500, headers: {}, cookies: [] }

export function isUnexplained({ differences }: Observed): boolean {
  return differences.some(({ row }) => row === undefined)
}

/** Unleash and the mock, side by side, with the same users and tokens. */
export class Pair {
  #pairs: Pairs

  private constructor(
    readonly servers: Servers,
    readonly theirs: Server,
    readonly ours: Server,
    tokensHere: readonly number[],
  ) {
    this.#pairs = new Pairs(tokensHere)
  }

  static async fresh(servers: Servers): Promise<Pair> {
    const [theirs, ours] = await Promise.all([servers.unleash.fresh(), servers.flagdouble.fresh()])
    return new Pair(servers, theirs, ours, await ours.addUsers())
  }

  /** Stops and starts both servers. Their data stay. */
  async restart(): Promise<void> {
    await Promise.all([this.servers.unleash.restart(), this.servers.flagdouble.restart()])
  }

  /** Sends a request, with the IDs and secrets of Unleash, to Unleash, and its translation to the mock. */
  async send(request: FidelityRequest): Promise<Observed> {
    this.#pairs.remember(request)
    const [response, actual] = await Promise.all([
      this.theirs.send(request).catch(() => ENDED),
      this.ours.send(request, this.#pairs.translate),
    ])
    // The jobs of Unleash run every few seconds; the mock does at once what they do.
    if (request.method !== 'GET' && response.status < 400) await this.servers.unleash.runJobs()
    return this.#observed(request, response, actual, compare(response, actual, this.#pairs))
  }

  /** Sends the same request several times at once. Only the statuses are compared, as a set. */
  async sendAtOnce(request: FidelityRequest, times: number): Promise<Observed> {
    const theirs = await Promise.all(Array.from({ length: times }, () => this.theirs.send(request).catch(() => ENDED)))
    const ours = await Promise.all(Array.from({ length: times }, () => this.ours.send(request, this.#pairs.translate)))
    const statuses = (all: FidelityResponse[]) => `${all.map(({ status }) => status).toSorted((a, b) => a - b)}`
    const [expected, actual] = [statuses(theirs), statuses(ours)]
    const difference: Difference = { place: 'statuses at once', kind: 'status', expected, actual }
    const [one = ENDED, other = ENDED] = [theirs[0], ours[0]]
    return this.#observed(request, one, other, expected === actual ? [] : [difference])
  }

  #observed(
    request: FidelityRequest,
    response: FidelityResponse,
    actual: FidelityResponse,
    found: Difference[],
  ): Observed {
    const operation = operationOf(request)
    const differences = found.map((difference) => ({
      difference,
      row: explainedBy({ operation, request, response, actual, difference }),
    }))
    return { request, response, actual, operation, differences }
  }
}

/** Sends a sequence to new servers. IDs and secrets of its first run are translated. */
export async function runAgain(sequence: readonly Exchange[], servers: Servers): Promise<Observed[]> {
  const pair = await Pair.fresh(servers)
  const earlier = new Pairs()
  const observed: Observed[] = []
  for (const { request, response } of sequence) {
    const again: FidelityRequest = JSON.parse(earlier.translate(JSON.stringify(request)))
    const one = await pair.send(again)
    earlier.remember(request)
    compare(response, one.response, earlier)
    observed.push(one)
  }
  return observed
}
