// The slowest known request of each kind, at the maximum size.

export const API_BODY = 102_400
const CONTROL_BODY = 1024 * 1024
const STATE_BODY = 32 * 1024 * 1024
const HEADERS = 15_000
export const features = '/api/admin/projects/default/features'
const FRONTEND = '*:development.mock-frontend'

/** `[item,item,…]` of about this many bytes, inside a frame. */
export const filled = (bytes, before, item, after) =>
  before +
  Array(Math.floor((bytes - before.length - after.length) / (item.length + 1)))
    .fill(item)
    .join(',') +
  after
export const properties = (bytes, before, after) => {
  const names = Array.from({ length: Math.floor(bytes / 12) }, (_, i) => `"k${i}":1`)
  return (before + names.join(',')).slice(0, bytes - after.length).replace(/,?[^,]*$/, '') + after
}
export const nested = (bytes, levels) => filled(bytes, '[', '['.repeat(levels) + ']'.repeat(levels), ']')

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
export const state = (method, body) => ({ method, path: '/__mock/state', body })

/** The requests, each with the state that it needs. */
export const cases = {
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
  'a filter by 3,000 tags': {
    method: 'GET',
    path: `/api/admin/search/features?tag=INCLUDE:${'a:b,'.repeat(HEADERS / 5)}a:b%0A`,
  },
  'a filter by 7,000 names': { method: 'GET', path: `/api/admin/search/features?project=IS:${',a'.repeat(7000)}%0A` },
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

/** State bodies. They can be 32 times as large, so their limit is a ratio: to the time of parsing them. */
export const states = {
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
