import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CORE } from '../../../src/engine/mock/session.js'
import { startServer } from '../../../src/entries/adapters/node.js'
import { createMock, type Mock } from '../../../src/index.js'
import { FIXED } from '../../support/adapters.js'
import { scratchFolder } from '../../support/cli.js'
import { type RawAnswer, sendRaw } from '../../support/raw.js'
import { RUNS } from '../../support/runs.js'

interface Ask {
  target: string
  headers?: Record<string, string>
}
type Asker = (request: Ask) => Promise<RawAnswer>

interface Server {
  mock: Mock
  ask: Asker
}

/** A server that is reached over bare sockets. */
async function listening(basePath: string, ui?: string): Promise<Server> {
  const server = await startServer(createMock({ ...FIXED, basePath }), { port: 0, ui })
  onTestFinished(() => server.close(0))
  return { mock: server.mock, ask: (request) => sendRaw(server.port, request) }
}

function inProcess(basePath: string): Server {
  const mock = createMock({ ...FIXED, basePath })
  const ask: Asker = async ({ target, headers = {} }) => {
    const response = await mock.fetch(new Request(`http://localhost:4242${target}`, { headers }))
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  }
  return { mock, ask }
}

function frontend(): string {
  const folder = scratchFolder()
  folder.put('index.html', '<!doctype html><title>The frontend</title>')
  return folder.path
}

/** Whether the control API responded. */
function isOfControl({ headers, body }: RawAnswer): boolean {
  const isPanel = headers['content-security-policy'] !== undefined
  return isPanel || headers['x-mock-error'] === 'UNKNOWN_CONTROL_PATH' || /^\{"(names|status)":/.test(body)
}

function isOfFrontend({ body }: RawAnswer): boolean {
  return body.includes('The frontend') || body === 'Not found'
}

const SHARED = ['getHealth', 'getReady', 'getFrontendFeatures']

/** Each policy's interpretation of a path. The policies are asked one by one; the test checks whether they agree. */
async function opinionsOn({ mock, ask }: Server, target: string): Promise<Record<string, boolean>> {
  const before = mock.requests.count()
  const plain = await ask({ target })
  const wasRecorded = mock.requests.count() > before
  const entry = wasRecorded ? mock.requests.all().at(-1) : undefined
  const ofOthers = await ask({ target, headers: { origin: 'https://evil.example' } })
  expect(mock.activeScenarios).toEqual(['default'])
  // Pages of other sites get the frontend API and health checks, by any spelling that leads there, and nothing else.
  const isShared = SHARED.includes(entry?.operation ?? '')
  expect(ofOthers.headers['x-mock-error'] === 'ORIGIN_NOT_ALLOWED', target).toBe(!isShared)
  return {
    router: isOfControl(plain),
    // The frontend's pages and files aren't recorded.
    ...(isOfFrontend(plain) ? {} : { journal: !wasRecorded }),
  }
}

const spellings: [target: string, isControl: boolean][] = [
  ['/__mock/scenario', true],
  ['//__mock/scenario', true],
  ['///__mock///scenario//', true],
  ['/__MOCK/Scenario', true],
  ['/__mock/scenario/', true],
  ['/__mock', true],
  ['/__mock//', true],
  ['/__mock/x/../scenario', true],
  ['/%5F_mock/scenario', false],
  ['/__mock%2Fscenario', false],
  ['/%2F__mock/scenario', false],
  ['/__mock;/scenario', false],
  ['/__mockx/scenario', false],
  ['/api/admin/projects', false],
  ['//API/frontend/', false],
  ['/HEALTH//', false],
  ['/api/__mock/scenario', false],
]

describe.each(['', '/deep'])('every policy interprets a path in the same way, below the base path %j', (basePath) => {
  it.each(spellings)('%s', async (target, isControl) => {
    const ui = frontend()
    const path = basePath + target
    for (const server of [inProcess(basePath), await listening(basePath), await listening(basePath, ui)]) {
      const opinions = await opinionsOn(server, path)
      expect(new Set(Object.values(opinions)), JSON.stringify(opinions)).toEqual(new Set([isControl]))
    }
    expect(inProcess(basePath).mock[CORE].match('GET', `http://localhost:4242${path}`) === 'control').toBe(isControl)
  })
})

// In process, and in browsers, URLs have already lost such segments.
it.each([
  ['/./__mock/scenario', false],
  ['/x/../__mock/scenario', false],
  ['/x/%2e%2E/__mock/scenario', false],
  ['/%2e/__mock/scenario', false],
  ['/__mock/../api/admin/projects', true],
  ['/__mock/%2e%2e/api/admin/projects', true],
  ['http://localhost/x/../__mock/scenario', false],
  ['http://localhost//__mock/scenario', true],
])('every policy of a Node server sees segments that are dots: %s', async (target, isControl) => {
  for (const server of [await listening(''), await listening('', frontend())]) {
    const opinions = await opinionsOn(server, target)
    expect(new Set(Object.values(opinions)), JSON.stringify(opinions)).toEqual(new Set([isControl]))
  }
})

it('a repeated base path is not the control API', async () => {
  const { ask } = await listening('/deep')
  for (const target of ['/deep/deep/__mock/scenario', '/__mock/scenario', '//deep/__mock/scenario']) {
    expect((await ask({ target })).headers['x-mock-error']).toBe('UNMODELLED_ROUTE')
  }
})

const separator = fc.oneof(
  { weight: 4, arbitrary: fc.constant('/') },
  { weight: 3, arbitrary: fc.constantFrom('//', '///', '/./', '/x/../') },
  { weight: 2, arbitrary: fc.constantFrom('%2F', '%2f', '/%2e/', '/%2E%2e/', '/../', '\\', '/\\', ';/', '%5C') },
)
const character = (plain: string) =>
  fc.constantFrom(
    plain,
    plain,
    plain,
    plain,
    plain,
    plain.toUpperCase(),
    `%${plain.charCodeAt(0).toString(16)}`,
    `%25${plain.charCodeAt(0).toString(16)}`,
  )
const spelled = (text: string) => fc.tuple(...[...text].map(character)).map((characters) => characters.join(''))
const word = fc.oneof(
  fc.constantFrom('__mock', 'scenario', 'api', 'admin', 'projects', 'frontend', 'health', 'deep', '..', '.'),
  fc.constantFrom('__mock', 'scenario', 'api', 'deep').chain(spelled),
)
const anyTarget = fc
  .tuple(
    fc.constantFrom('', '', '/deep', '/deep/deep', '//deep', '/DEEP'),
    fc.array(fc.tuple(separator, word), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '/', '//', '/.', '?x=/__mock', '#/__mock'),
  )
  .map(([base, parts, end]) => `${base}${parts.flat().join('')}${end}`)
  .filter((target) => target.startsWith('/'))

it.each([
  ['', false],
  ['/deep', false],
  ['', true],
])('whatever the spelling, all policies agree over bare sockets: base path %j, UI %s', async (basePath, hasUi) => {
  const server = await listening(basePath, hasUi ? frontend() : undefined)
  await fc.assert(
    fc.asyncProperty(anyTarget, async (target) => {
      const { status, headers } = await server.ask({ target })
      if (status === 400 && headers['x-mock-error'] === 'MALFORMED_REQUEST') return
      const opinions = await opinionsOn(server, target)
      // The root redirects to the panel, and is not recorded.
      if (status === 302) delete opinions.journal
      expect(new Set(Object.values(opinions)).size, `${target} ${JSON.stringify(opinions)}`).toBe(1)
    }),
    { numRuns: 3 * RUNS },
  )
})
