// The slowest request known of each kind, at the largest size that is allowed, against a plain one in the same run.
import { request } from 'node:http'
import { createMock } from '../../dist/index.js'
import { AUTHORIZATION, fixed, median, start, table } from '../lib.js'
import { operationsDocument } from '../openapi.js'

const ROUNDS = 3
const GOAL = 200
const API_BODY = 102_400
const CONTROL_BODY = 1024 * 1024
const STATE_BODY = 32 * 1024 * 1024
const HEADERS = 15_000
const features = '/api/admin/projects/default/features'
const FRONTEND = '*:development.mock-frontend'

/** `[item,item,…]` of about so many bytes, inside a frame. */
const filled = (bytes, before, item, after) =>
  before +
  Array(Math.floor((bytes - before.length - after.length) / (item.length + 1)))
    .fill(item)
    .join(',') +
  after
const properties = (bytes, before, after) => {
  const names = Array.from({ length: Math.floor(bytes / 12) }, (_, i) => `"k${i}":1`)
  return (before + names.join(',')).slice(0, bytes - after.length).replace(/,?[^,]*$/, '') + after
}
const nested = (bytes, levels) => filled(bytes, '[', '['.repeat(levels) + ']'.repeat(levels), ']')

const onIf = (strategy) =>
  JSON.stringify({
    features: [{ name: 'worst', environments: [{ name: 'development', enabled: true, strategies: [strategy] }] }],
  })
const byExpression = (value) =>
  onIf({ name: 'default', constraints: [{ contextName: 'userId', operator: 'REGEX', value }] })
const context = (userId) => ({ path: '/api/frontend', key: FRONTEND, body: JSON.stringify({ context: { userId } }) })
const constraint = (value) => ({ contextName: 'userId', operator: 'REGEX', value })
const naming = (pattern) =>
  JSON.stringify({ projects: [{ id: 'default', featureNaming: { pattern, example: null, description: null } }] })
const state = (method, body) => ({ method, path: '/__mock/state', body })

/** Each with what it sends and, where it needs any, the state that is there. */
const cases = {
  'a constraint (a+)+$ and 100 kB of text': { given: byExpression('(a+)+$'), ...context(`${'a'.repeat(101_000)}!`) },
  'a large expression and 100 kB of text': { given: byExpression('.*a'.repeat(3000)), ...context('ab'.repeat(50_000)) },
  'a constraint with many states': { given: byExpression('[ab]*a[ab]{200}c'), ...context('abbab'.repeat(900)) },
  'ten expressions that are as large as allowed': {
    path: `${features}/checkout-redesign/environments/development/strategies`,
    body: JSON.stringify({
      name: 'default',
      constraints: Array(10)
        .fill(0)
        .map((_, i) => constraint(`[a${i}]{1000}`.slice(0, 20))),
    }),
  },
  'expressions over the limit': {
    path: '/api/admin/constraints/validate',
    body: JSON.stringify(constraint('\\pL|'.repeat(20_000))),
  },
  'a naming pattern (a+)+': {
    given: naming('(a+)+'),
    path: `${features}/checkout-redesign/clone`,
    body: JSON.stringify({ name: `${'a'.repeat(99)}-` }),
  },
  'IPs of 90,000 spaces': {
    given: onIf({ name: 'remoteAddress', parameters: { IPs: `${' '.repeat(90_000)}x` } }),
    method: 'GET',
    path: '/api/frontend',
    key: FRONTEND,
  },
  'IPs of 40,000 ranges': {
    given: onIf({ name: 'remoteAddress', parameters: { IPs: '10.0.0.0/8,'.repeat(9000) } }),
    method: 'GET',
    path: '/api/frontend',
    key: FRONTEND,
  },
  'a path of slashes': { method: 'GET', path: `/api${'/'.repeat(HEADERS)}x` },
  'a query of 3,000 names': {
    method: 'GET',
    path: `/api/frontend?${Array.from({ length: 2000 }, (_, i) => `k${i}=1`).join('&')}`,
    key: FRONTEND,
  },
  'a search for 7,000 texts': { method: 'GET', path: `/api/admin/search/features?query=${'a,'.repeat(HEADERS / 2)}` },
  'a cookie of semicolons': {
    method: 'GET',
    path: '/api/admin/projects',
    headers: { cookie: '; '.repeat(HEADERS / 2) },
  },
  'a content type of parameters': {
    path: '/auth/simple/login',
    body: '{}',
    headers: { 'content-type': `application/json${'; a=b'.repeat(HEADERS / 5)}` },
  },
  'a content type of spaces': {
    path: '/auth/simple/login',
    body: '{}',
    headers: { 'content-type': `application/json;${' '.repeat(HEADERS)}x` },
  },
  'a list of scenarios': {
    method: 'GET',
    path: features,
    headers: { 'x-mock-scenario': 'default,'.repeat(HEADERS / 8) },
  },
  'a key of 15 kB': { method: 'GET', path: features, key: 'x'.repeat(HEADERS) },
  'a JSON Patch that copies': {
    method: 'PATCH',
    path: `${features}/checkout-redesign`,
    body: JSON.stringify(Array.from({ length: 1000 }, (_, i) => ({ op: 'copy', from: '', path: `/c${i}` }))),
  },
  'a login of quotes': { path: '/auth/simple/login', body: `"${'password'.repeat(12_700)}` },
  'the journal after that': { method: 'GET', path: '/__mock/requests' },
  'control: scenarios, 1 MiB of default': {
    method: 'PUT',
    path: '/__mock/scenario',
    body: filled(CONTROL_BODY, '{"names":[', '"default"', ']}'),
  },
  'control: scenarios, 1 MiB of empty names': {
    method: 'PUT',
    path: '/__mock/scenario',
    body: filled(CONTROL_BODY, '{"names":[', '""', ']}'),
  },
  'control: a rule with 1 MiB of headers': {
    path: '/__mock/forced',
    body: properties(CONTROL_BODY, '{"operation":"*","headers":{', '}}'),
  },
  'control: a rule with 10,000 bad headers': {
    path: '/__mock/forced',
    body: JSON.stringify({
      operation: '*',
      headers: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k ${i}`, '\n'])),
    }),
  },
  'control: 1 MiB nested': { path: '/__mock/forced', body: nested(CONTROL_BODY, 490) },
}

/** Bodies of a state. They may be 32 times as large, so their goal is a ratio: to the time that parsing them takes. */
const states = {
  'records {}': state('PATCH', filled(STATE_BODY / 8, '{"features":[', '{}', ']}')),
  'nested lists': state('PATCH', nested(STATE_BODY / 2, 490)),
  'one nested list': state(
    'PATCH',
    `{"features":${'['.repeat(400)}${filled(STATE_BODY / 2, '', '1', '')}${']'.repeat(400)}}`,
  ),
  'unknown properties': state('PATCH', properties(STATE_BODY / 8, '{', '}')),
  'users without a number': state('PUT', filled(STATE_BODY / 4, '{"users":[', '{"id":"x"}', ']}')),
  'constraints that are none': state(
    'PATCH',
    filled(STATE_BODY / 4, '{"segments":[{"id":1,"constraints":[', '1', ']}]}'),
  ),
}

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

/** Bodies as large as allowed, for every operation. */
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
