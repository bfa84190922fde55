// The slowest known request of each kind, at the maximum size, compared with a plain request in the same run.
import { request } from 'node:http'
import { createMock } from '../../dist/index.js'
import { AUTHORIZATION, fixed, median, start, table } from '../lib.js'
import { operationsDocument } from '../openapi.js'
import { API_BODY, cases, features, filled, nested, properties, state, states } from '../worst-requests.js'

const ROUNDS = 3
const GOAL = 200

const server = await start(['node', 'servers/flagdouble.js'])

function send({ method = 'POST', path, key = AUTHORIZATION, body, headers = {} }) {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(server.url + path, {
      agent: false,
      method,
      headers: {
        authorization: key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve({ time: performance.now() - started, status: response.statusCode }))
    })
    sent.end(body)
  })
}

const plain = { method: 'GET', path: `${features}/checkout-redesign` }
const clean = () => send({ method: 'POST', path: '/__mock/reset' })

async function measure({ given, ...sent }) {
  const times = []
  const plains = []
  let status = 0
  for (let round = 0; round < ROUNDS; round++) {
    await clean()
    if (given !== undefined) await send(state('PATCH', given))
    plains.push((await send(plain)).time)
    const answer = await send(sent)
    times.push(answer.time)
    status = answer.status
  }
  return { time: median(times), plain: median(plains), status }
}

/** Bodies of the maximum size, for every operation. */
function* sweep(document) {
  const bodies = {
    'a nested list': nested(API_BODY, 490),
    'a deep list': `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    'a list of {}': filled(API_BODY, '[', '{}', ']'),
    'many properties': properties(API_BODY, '{', '}'),
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
      if (requestBody === undefined) continue
      for (const [what, body] of Object.entries(bodies)) {
        yield [
          `${operationId}: ${what}`,
          { method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'default'), body },
        ]
      }
    }
  }
}

for (let i = 0; i < 50; i++) await send(plain)
const rows = []
for (const [name, sent] of Object.entries(cases)) rows.push([name, await measure(sent)])
for (const [name, sent] of sweep(await operationsDocument(createMock()))) rows.push([name, await measure(sent)])
rows.sort(([, one], [, other]) => other.time - one.time)
const slow = rows.filter(([, { time }]) => time > GOAL).length
table(
  `The slowest of ${rows.length} requests, milliseconds; over ${GOAL} ms: ${slow}`,
  ['request', 'status', 'ms', 'a plain request', 'ratio'],
  rows
    .slice(0, 12)
    .map(([name, { time, plain: other, status }]) => [
      name,
      status,
      fixed(time, 0),
      fixed(other, 1),
      fixed(time / other, 0),
    ]),
)

const stateRows = []
for (const [name, sent] of Object.entries(states)) {
  const { time, status } = await measure(sent)
  const parses = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    JSON.parse(sent.body)
    parses.push(performance.now() - started)
  }
  const size = `${fixed(sent.body.length / 1024 / 1024, 1)} MiB`
  stateRows.push([name, size, status, fixed(time, 0), fixed(median(parses), 0), fixed(time / median(parses), 1)])
}
table(
  'States that are rejected, milliseconds',
  ['body', 'size', 'status', 'ms', 'JSON.parse alone', 'ratio'],
  stateRows,
)
await server.stop()
