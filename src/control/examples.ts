import { defaultScenario } from '../../scenarios/default.js'
import type { Example, Examples } from '../api/openapi.js'
import { type OperationId, type OperationRow, operations } from '../api/operations.js'
import { errorStatusesOf, paramNames, successStatus } from '../contract/operation.js'
import { JSON_TYPE } from '../http/answer.js'
import { answerOperation } from '../http/operation.js'
import type { ServiceOptions } from '../http/service.js'
import { Catalogue } from '../scenarios/catalogue.js'
import { World } from '../sessions/world.js'
import { WorldData } from '../state/state.js'
import { BODIES, exampleName, KEYS, MORE, NOW, QUERIES, UNKNOWN, VIEWER } from './example-requests.js'

type ExampleRow = OperationRow & { id: OperationId }

interface Sent {
  body?: string
  key?: string | undefined
  type?: string
  unknown?: true
}

/**
 * What each operation answers in a new world of the default scenario: to a right request, and to one without a key, without
 * permission, with a wrong content type, and about something unknown. The examples of the OpenAPI document are these.
 */
export async function examplesOf(options: ServiceOptions): Promise<Examples> {
  const newWorld = equalWorlds()
  const examples = new Map<string, Example>()
  for (const row of operations) examples.set(row.id, await exampleOf(row, newWorld(), options))
  return examples
}

async function exampleOf(row: ExampleRow, world: World, options: ServiceOptions): Promise<Example> {
  const known = BODIES[row.id]
  const { profile } = options
  const statuses = [successStatus(row, profile), ...errorStatusesOf(row, profile)]
  const responses = new Map<number, unknown>()
  const key = KEYS[row.access]
  const body = row.body === undefined ? {} : { body: JSON.stringify(known ?? {}) }
  const requests: Sent[] = [
    { ...body, key },
    { ...body },
    { ...body, key: VIEWER },
    { ...body, key, type: 'text/plain' },
    { ...body, key, unknown: true },
  ]
  for (const sent of requests) {
    const { answer } = await answerOperation(
      { request: requestOf(row, sent), options },
      world,
      row,
      paramsOf(row, sent),
    )
    const { status, headers, body: text } = answer
    if (typeof text !== 'string' || !statuses.includes(status) || responses.has(status)) continue
    responses.set(status, headers['content-type'] === JSON_TYPE ? JSON.parse(text) : text)
  }
  return { ...(known === undefined ? {} : { request: known }), responses }
}

/** Returns a function that makes equal worlds. They are copies: loading a world takes far longer than copying one. */
function equalWorlds(): () => World {
  const composition = new Catalogue([defaultScenario]).compose([defaultScenario.name])
  const fixtures = [{ state: MORE, source: 'The examples' }]
  const given = { seed: 'examples', now: new Date(NOW), fixtures, generate: async () => [] }
  const first = new World(composition, given)
  return () => {
    const data = new WorldData()
    data.copyFrom(first.data)
    return new World(composition, given, { data, position: first.position() })
  }
}

function paramsOf({ path }: OperationRow, { unknown }: Sent): Record<string, string> {
  return Object.fromEntries(paramNames(path).map((name) => [name, unknown ? UNKNOWN : exampleName(path, name)]))
}

function requestOf({ id, method, path }: ExampleRow, { body, key, type = 'application/json' }: Sent): Request {
  const headers = { 'content-type': type, ...(key === undefined ? {} : { authorization: key }) }
  return new Request(`http://localhost${path}${QUERIES[id] ?? ''}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
}
