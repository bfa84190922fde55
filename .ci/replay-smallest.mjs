// Replays the smallest sequences of requests that once told the mock from a running Unleash, and compares the responses:
//   node .ci/replay-smallest.mjs FILE [--cli dist/cli.js] [--details] [SECTION…]
// It starts one server, because the sequences ran on one server. Volatile values (ids, secrets, dates) count as equal if each stands for
// one value of this run. Messages count as equal if they have the same names. The last line is the score.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http' // fetch sends no body with GET, and unpacks compressed bodies
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { cli: { type: 'string', default: 'dist/cli.js' }, details: { type: 'boolean', default: false } },
})
const [file, ...wanted] = positionals
if (file === undefined) throw new Error('Name the file with the sequences')

const tokens = {
  admin: '*:*.diff-admin',
  backendAll: '*:development.diff-backend-all',
  frontend: 'default:development.diff-frontend',
}
const password = 'Str0ng-Password-1!'
/** The day of the record. */
const recordedOn = '2026-11-26'

const volatile =
  /\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9A-HJKMNP-TV-Z]{26}\b|\$2b\$10\$[\w./]{53}|(?<![0-9a-f])[0-9a-f]{32,64}(?![0-9a-f])/gu

/** The values of the record and the values of this run that stand for each other. */
const pairs = new Map()
const sent = new Set()

function samePair(kind, expected, actual) {
  const [there, back] = [`${kind}>${expected}`, `${kind}<${actual}`]
  if (!pairs.has(there) && !pairs.has(back)) pairs.set(there, actual).set(back, expected)
  return pairs.get(there) === actual && pairs.get(back) === expected
}

function sameText(expected, actual) {
  const [left, right] = [expected.match(volatile) ?? [], actual.match(volatile) ?? []]
  if (expected.replace(volatile, '§') !== actual.replace(volatile, '§')) return false
  return left.every((value, index) => {
    if (sent.has(value)) return value === right[index]
    const isDate = /^\d{4}-\d\d-\d\d/u.test(value)
    return isDate || samePair('text', value, right[index])
  })
}

function sameMessage(expected, actual) {
  if ((expected === '') !== (actual === '')) return false
  const names = [...expected.matchAll(/"([^"]+)"|`([^`]+)`/gu)].map((match) => match[1] ?? match[2])
  return names.every((name) => volatile.test(name) || name === 'details' || actual.includes(name))
}

/** The series to which a number belongs; undefined if the number means itself. */
function seriesOf(path, parent) {
  if (/revisionId$/u.test(path)) return 'revision'
  if (/(userId|createdByUserId)$/u.test(path)) return 'user'
  if (/(segments|segmentIds)\[\d+\]$/u.test(path)) return 'segment'
  if (!/\.id$/u.test(path) || /roles?(\[\d+\])?\.id$/iu.test(path)) return undefined
  if ('createdBy' in parent && 'data' in parent) return 'event'
  if ('imageUrl' in parent || 'username' in parent) return 'user'
  return /segments\[\d+\]\.id$/u.test(path) || 'constraints' in parent ? 'segment' : 'other'
}

function* differences(expected, actual, path = '', parent = {}) {
  const key = path.split('.').at(-1)
  const differs = { path: path || '(body)', expected, actual }
  if (typeof expected === 'string' && typeof actual === 'string') {
    const isMessage = key === 'message' || key === 'summary'
    const isProse = key === 'description' && !sent.has(expected)
    const same = isMessage ? sameMessage : isProse ? (a, b) => (a === '') === (b === '') : sameText
    if (!same(expected, actual)) yield differs
  } else if (typeof expected === 'number' && typeof actual === 'number') {
    const series = expected > 0 ? seriesOf(path, parent) : undefined
    const same =
      series === undefined ? expected === actual : series === 'revision' || samePair(series, expected, actual)
    if (!same) yield differs
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) yield differs
    else {
      const inOrder = unordered.test(path) ? actual.toSorted(as(expected)) : actual
      for (const [index, value] of expected.entries()) yield* differences(value, inOrder[index], `${path}[${index}]`)
    }
  } else if (isObject(expected) && isObject(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      yield* differences(expected[name], actual[name], `${path}.${name}`, expected)
  } else if (expected !== actual) yield differs
}

/** The lists whose order Unleash doesn't define. */
const unordered = /^\.(features|toggles|tokens|permissions)$|\.strategies\.data\[\d+\]\.segments$/u

function as(expected) {
  const nameOf = (item) => item.name ?? item.secret ?? `${item.permission} ${item.project} ${item.environment}`
  const places = new Map(expected.map((item, index) => [nameOf(item), index]))
  return (a, b) => (places.get(nameOf(a)) ?? 0) - (places.get(nameOf(b)) ?? 0)
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function* differencesOf(expected, actual) {
  // An error of Unleash itself, for which the mock responds with a 4xx.
  if (expected.status >= 500 && actual.status >= 400 && actual.status < 500) return
  if (expected.status !== actual.status) {
    yield { path: 'status', expected: [expected.status, expected.body], actual: [actual.status, actual.body] }
    return
  }
  const compared = [
    ['content-type', (value) => value],
    ['location', (value) => value?.replace(/\d+$|[0-9A-Z]{26}$/u, '§')],
    ['cache-control', (value) => value],
    ['etag', (value) => (value ? 'present' : undefined)],
  ]
  for (const [name, normal] of compared) {
    const [left, right] = [normal(expected.headers[name]), normal(actual.headers[name])]
    if (left !== right) yield { path: name, expected: left, actual: right }
  }
  if (expected.cookies.join() !== actual.cookies.join())
    yield { path: 'cookies', expected: expected.cookies.join(), actual: actual.cookies.join() }
  const isHtml = expected.headers['content-type']?.startsWith('text/html')
  const isCompressed = ({ body }) => typeof body === 'string' && body.startsWith('\u001f')
  if (isCompressed(expected) && isCompressed(actual)) return
  if (!isHtml) yield* differences(expected.body, actual.body)
}

/** The ids of created records, by the name in the request or, for strategies, by the feature. */
const created = new Map()
const cookies = new Map()
const accessTokens = new Map()

async function send(base, { method, path, actor, headers, body }) {
  const known = (text) => text.replace(/«([^»]+)»/gu, (_, name) => created.get(name) ?? created.get('latest'))
  const filled = JSON.parse(JSON.stringify(body ?? null), (_, value) =>
    typeof value === 'string' && /^«[^»]+»$/u.test(value)
      ? (created.get(value.slice(1, -1)) ?? created.get('latest'))
      : value,
  )
  const [kind, name] = actor.split(':')
  const credentials =
    kind === 'cookie'
      ? { cookie: cookies.get(name) ?? cookies.get('latest') ?? '' }
      : kind === 'none'
        ? {}
        : { authorization: kind === 'pat' ? accessTokens.get(name) : tokens[kind] }
  const written =
    body === undefined || body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(filled)
  // Metrics are counted by the day, so they must be of this day.
  const text = written?.replaceAll(recordedOn, new Date().toISOString().slice(0, 10))
  if (text !== undefined) for (const value of text.match(/"(?:[^"\\]|\\.)*"/gu) ?? []) sent.add(JSON.parse(value))
  return exchange(base, {
    method,
    path: known(path),
    headers: { ...credentials, ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    text,
  })
}

async function exchange(base, { method, path, headers, text }) {
  const outgoing = request(base + path, {
    method,
    headers: text === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(text) },
  })
  outgoing.end(text)
  const [response] = await once(outgoing, 'response')
  let raw = ''
  response.setEncoding('utf8')
  for await (const chunk of response) raw += chunk
  const isJson = response.headers['content-type']?.startsWith('application/json') && raw !== ''
  const set = response.headers['set-cookie'] ?? []
  return {
    status: response.statusCode,
    headers: response.headers,
    cookies: set.map((cookie) => cookie.split('=')[0]),
    body: isJson && !response.headers['content-encoding'] ? JSON.parse(raw) : raw,
    set,
  }
}

function remember({ path, method, body }, answer) {
  const made = isObject(answer.body) ? answer.body : {}
  if (method === 'POST' && made.id !== undefined) {
    const feature = /\/features\/([^/]+)\/environments\/[^/]+\/strategies$/u.exec(path)?.[1]
    for (const name of [feature, body?.name, body?.username, 'latest'])
      if (name !== undefined) created.set(name, made.id)
  }
  if (path === '/auth/simple/login') cookies.set('latest', answer.set.map((cookie) => cookie.split(';')[0]).join('; '))
}

async function person(base, username, rootRole) {
  const asAdmin = { actor: 'admin', headers: {} }
  if (rootRole !== undefined) {
    const body = {
      username,
      name: username.toUpperCase(),
      email: `${username}@example.com`,
      password,
      rootRole,
      sendEmail: false,
    }
    await send(base, { ...asAdmin, method: 'POST', path: '/api/admin/user-admin', body })
  }
  const login = { username, password: rootRole === undefined ? 'unleash4all' : password }
  const { set } = await send(base, {
    actor: 'none',
    headers: {},
    method: 'POST',
    path: '/auth/simple/login',
    body: login,
  })
  cookies.set(username, set.map((cookie) => cookie.split(';')[0]).join('; '))
  const token = { description: 'pat', expiresAt: new Date(Date.now() + 864e5).toISOString() }
  const made = await send(base, {
    actor: `cookie:${username}`,
    headers: {},
    method: 'POST',
    path: '/api/admin/user/tokens',
    body: token,
  })
  accessTokens.set(username, made.body.secret)
}

async function startServer() {
  const child = spawn(
    process.execPath,
    [
      options.cli,
      'start',
      '--port',
      '0',
      '--json',
      '--profile',
      'unleash-8',
      '--scenario',
      'fresh-server',
      '--quiet',
      '--base-url',
      'http://localhost:4242',
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        INIT_ADMIN_API_TOKENS: tokens.admin,
        INIT_BACKEND_API_TOKENS: `default:development.diff-backend,${tokens.backendAll},*:production.diff-backend-prod`,
        INIT_FRONTEND_API_TOKENS: `${tokens.frontend},*:production.diff-frontend-prod`,
      },
    },
  )
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url } = JSON.parse(line)
  return { child, base: url }
}

const sections = JSON.parse(await readFile(file, 'utf8'))
const { child, base } = await startServer()
let equalSections = 0
const counts = { exchanges: 0, status: 0, equal: 0 }
const judged = wanted.length === 0 ? sections : sections.filter(({ id }) => wanted.includes(id))
try {
  await person(base, 'admin')
  await person(base, 'editor', 2)
  await person(base, 'viewer', 3)
  for (const section of sections) {
    const lines = []
    for (const [index, { request, answer }] of section.exchanges.entries()) {
      const actual = await send(base, request)
      remember(request, actual)
      const found = [...differencesOf(answer, actual)]
      if (!judged.includes(section)) continue
      counts.exchanges += 1
      if (answer.status === actual.status) counts.status += 1
      if (found.length === 0) counts.equal += 1
      for (const { path, expected, actual: got } of found)
        lines.push(`  ${index + 1}. ${request.method} ${request.path}: ${path}: ${shown(expected)}, here ${shown(got)}`)
    }
    if (!judged.includes(section)) continue
    if (lines.length === 0) equalSections += 1
    else
      print(
        [`≠ ${section.id} (class ${section.class}): ${section.title}`, ...(options.details ? lines : [])].join('\n'),
      )
  }
} finally {
  child.kill()
}
const percent = (part) => `${((100 * part) / counts.exchanges).toFixed(1)} %`
print(
  `TOTAL sequences ${judged.length}, equal ${equalSections}, different ${judged.length - equalSections}; exchanges ${counts.exchanges}, status ${percent(counts.status)}, equal ${percent(counts.equal)}`,
)

function print(line) {
  process.stdout.write(`${line}\n`)
}

function shown(value) {
  const text = JSON.stringify(value)
  return text === undefined ? 'missing' : text.length > 300 ? `${text.slice(0, 300)}…` : text
}
