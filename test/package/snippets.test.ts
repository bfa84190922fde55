import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transform } from 'esbuild'
import { getResponse, type RequestHandler } from 'msw'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { StateFile } from '../../src/entries/files/state-file/state-file.js'
import { createMock, defineScenario } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { root, type Snippet, snippets } from '../support/markdown.js'

let consumer: Consumer
beforeAll(() => {
  consumer = createConsumer()
}, 30_000)
afterAll(() => consumer.remove())

const bin = (name: string) => join(root, 'node_modules', name)
const code = snippets.filter(({ language }) => language === 'ts' || language === 'js')

/** Snippets that are part of something larger, and their runners; by heading. */
const parts: Record<string, (file: string, snippet: Snippet) => Promise<void>> = {
  'A Vite dev proxy': async (_, { code }) => {
    await using server = await startServer({}, { port: 0 })
    consumer.put('app/vite.config.js', code.replaceAll('http://127.0.0.1:4242', server.url))
    await expectVite('app')
  },
  'The Vite plugin': async (_, { code }) => {
    consumer.put('plugged/vite.config.js', code)
    await expectVite('plugged')
  },
  'Next.js': (_, { code }) => expectRoute('next/app/flags/[...path]/route.js', code, 'module.GET(request)'),
  SvelteKit: (_, { code }) =>
    expectRoute(
      'kit/src/routes/flags/[...path]/+server.js',
      code.replace('$lib', '../../../lib'),
      'module.fallback({ request })',
    ),
  '`instrumentation.js` in Next.js': async (file) => {
    const asks = `Object.assign(process.env, { NODE_ENV: 'development', NEXT_RUNTIME: 'nodejs' })
      await (await import('${file}')).register()
      const answer = await fetch('https://flags.example.com/api/admin/projects', { headers: { authorization: '${ADMIN}' } })
      console.log(answer.status)`
    expect(await consumer.node(consumer.put('next-asks.js', asks))).toContain('200')
  },
  Nuxt: (_, { code }) => {
    // Nuxt replaces the condition, and imports these functions of h3 by itself.
    const globals = `globalThis.defineEventHandler = (handler) => handler
      globalThis.toWebRequest = ({ request }) => request`
    return expectMiddleware('nuxt/flagdouble.js', `${globals}\n${code.replace('import.meta.dev', 'true')}`, 'default')
  },
  '`handle` in SvelteKit': (_, { code }) =>
    expectMiddleware(
      'kit/src/hooks.server.js',
      code.replace("import { dev } from '$app/environment'", 'const dev = true'),
      'handle',
    ),
  Astro: (_, { code }) => expectRoute('astro/src/pages/flags/[...path].js', code, 'module.ALL({ request })'),
  "Pass the page's scenario with every request": async (file) => {
    await using server = await startServer({}, { port: 0 })
    const print = "console.log(await answer.text(), answer.headers.get('x-mock-scenario'))"
    const asks = `import { pageFetch } from '${file}'
      globalThis.location = { search: '?scenario=empty' }
      const answer = await pageFetch('${server.url}/health', { headers: { accept: 'text/plain' } })
      ${print}`
    expect(await consumer.node(consumer.put('asks.js', asks))).toContain(' empty')
  },
  Storybook: async (file) => {
    const { beforeEach } = (await import(/* @vite-ignore */ file)) as { beforeEach(context: object): void }
    const handlers: RequestHandler[] = []
    const msw = { use: (...used: RequestHandler[]) => handlers.push(...used) }
    beforeEach({ msw, parameters: { scenario: 'empty' } })
    const url = 'https://flags.example.com/api/admin/projects/default/features'
    const answer = await getResponse(handlers, new Request(url, { headers: { authorization: ADMIN } }))
    expect(await answer?.json()).toMatchObject({ features: [] })
  },
  Bun: (file) => expectServed(file, 'globalThis.Bun = { serve: ({ fetch }) => (serve = fetch) }'),
  Deno: (file) => expectServed(file, 'globalThis.Deno = { serve: (_, fetch) => (serve = fetch) }'),
  workerd: (file) => expectServed(file, '', 'module.default.fetch'),
}

/** A program for another runtime, with a substitute for the runtime's part. CI runs real ones in test/conformance. */
async function expectServed(file: string, setUp: string, handler = 'serve'): Promise<void> {
  const asks = `let serve; ${setUp}
    const module = await import(${JSON.stringify(file)})
    const answer = await (${handler})(new Request('http://localhost/__mock/health'))
    console.log(answer.status, await answer.text())`
  expect(await consumer.node(consumer.put(`${file}.asks.js`, asks))).toContain('200 {"status":"ok"')
}

/** Vite in a folder: the mock responds at its URL, in the scenario of a QA link. */
async function expectVite(folder: string): Promise<void> {
  const local = /Local: +(http:\S+)\//
  const { child, found } = await consumer.start(local, bin('vite/bin/vite.js'), folder, '--port', '0')
  const link = await fetch(`${found}/__mock/use/expired-token?redirect=/`, { redirect: 'manual' })
  const cookie = link.headers.get('set-cookie')?.split(';')[0] ?? ''
  const answer = await fetch(`${found}/api/admin/projects`, { headers: { cookie, authorization: ADMIN } })
  child.kill()
  expect([answer.status, answer.headers.get('x-mock-scenario')]).toEqual([200, 'expired-token'])
}

/** A route file of a framework, called like in the framework. */
async function expectRoute(path: string, code: string, call: string): Promise<void> {
  const mock = code.match(/'(\S+mock\.js)'/)?.[1] ?? ''
  const shared = snippets.find(({ heading }) => heading === 'Frameworks with web-standard handlers')
  const file = consumer.put(path, code)
  consumer.put(join(dirname(path), mock), shared?.code ?? '')
  const asks = `import * as module from ${JSON.stringify(file)}
    const request = new Request('http://localhost/flags/__mock/health')
    const answer = await ${call}
    console.log(answer.status, await answer.text())`
  expect(await consumer.node(consumer.put(`${path}.asks.js`, asks))).toContain('200 {"status":"ok"')
}

/** A function of a framework's server: it handles requests to Unleash, and leaves everything else to the app. */
async function expectMiddleware(path: string, code: string, name: string): Promise<void> {
  const asks = `import * as module from ${JSON.stringify(consumer.put(path, code))}
    for (const path of ['/api/admin/projects', '/app']) {
      const request = new Request('http://localhost' + path, { headers: { authorization: '${ADMIN}' } })
      const event = { path, request, url: new URL(request.url) }
      const answer = await module.${name}({ ...event, event, resolve: () => undefined })
      console.log(path, answer?.status)
    }`
  const printed = await consumer.node(consumer.put(`${path}.asks.js`, asks))
  expect(printed).toContain('/api/admin/projects 200\n/app undefined')
}

const running = code.filter(({ onlyTypes, example }) => onlyTypes === undefined && example === undefined)
const isForVitest = ({ code }: Snippet) => /from '(flagdouble\/)?vitest'/.test(code)

/** The Vitest snippets are files of one run, because starting Vitest takes longer than the tests. */
let inVitest: Promise<string> | undefined
function runVitest(): Promise<string> {
  for (const [i, { code }] of running.filter(isForVitest).entries()) consumer.put(`vitest/${i}.test.ts`, code)
  return consumer.node(bin('vitest/vitest.mjs'), 'run', '--root', 'vitest')
}

describe('code of the documentation runs in a project that has the package installed', () => {
  it.each(running.map((snippet, i) => ({ ...snippet, i })))(
    'the code of $page under $heading runs ($i)',
    { timeout: 60_000 },
    async ({ i, ...snippet }) => {
      const name = `snippet-${i}`
      const part = parts[snippet.heading]
      if (isForVitest(snippet)) {
        inVitest ??= runVitest()
        expect(await inVitest).toMatch(/Test Files .*passed/)
      } else if (snippet.code.includes("from 'flagdouble/playwright'")) {
        // Running it needs a browser; examples/playwright has one in CI.
        consumer.put(`${name}/a.spec.ts`, snippet.code)
        expect(await consumer.node(bin('@playwright/test/cli.js'), 'test', name, '--list')).toContain('Total: 1 test')
      } else {
        const asserting = `import assert from 'node:assert/strict'\n${snippet.code.replaceAll('console.assert(', 'assert(')}`
        const { code } = await transform(asserting, { loader: 'ts', target: 'es2022' })
        const file = consumer.put(`${name}.js`, code)
        if (part === undefined) await consumer.node(file)
        else await part(file, snippet)
      }
    },
  )

  it('every heading with special treatment in this test exists', () => {
    expect(Object.keys(parts).filter((heading) => !code.some((snippet) => snippet.heading === heading))).toEqual([])
  })
})

it('TypeScript in the documentation compiles in a project that has the package installed', async () => {
  const typed = code.filter(({ language }) => language === 'ts')
  const include = typed.map((snippet, i) => consumer.put(`types/${i}.ts`, `// ${snippet.page}\n${snippet.code}`))
  const config = { extends: join(root, 'tsconfig.json'), include, compilerOptions: { rootDir: '/', types: ['node'] } }
  const project = consumer.put('types/tsconfig.json', JSON.stringify(config))
  await consumer.node(bin('typescript/bin/tsc'), '-p', project)
})

/** A state file whose changes fit: they are read back. */
async function expectStateFile(code: string): Promise<void> {
  const mock = createMock({ fixtures: { features: [{ name: 'dark-mode' }], addons: [{ id: 1, provider: 'webhook' }] } })
  const warnings: string[] = []
  const path = consumer.put('documented-state.json', code)
  const options = { mock, sync: true, startsInScenario: false, warn: (message: string) => warnings.push(message) }
  const file = await StateFile.open(path, options)
  expect(mock.features.get('dark-mode')?.description).toBe('Mine.')
  expect(mock.features.get('mine')?.name).toBe('mine')
  expect(mock.state().addons).toEqual([])
  await file.close()
  expect(warnings).toEqual([])
}

describe('JSON of the documentation is a fixture, a scenario or a state file', () => {
  const files = snippets.filter(({ language }) => language === 'json')
  it.each(files)('the JSON of $page under $heading is valid', async ({ code }) => {
    const given = JSON.parse(code)
    if ('flagdouble' in given) await expectStateFile(code)
    else if ('promise' in given) defineScenario(given)
    else createMock({ fixtures: given })
  })
})

it("the wrangler.jsonc of the documentation is the example's, which runs in CI", () => {
  const files = snippets.filter(({ language }) => language === 'jsonc')
  const example = readFileSync(join(root, 'examples/workers/wrangler.jsonc'), 'utf8')
  expect(files.map(({ code }) => code)).toEqual([example])
})

it.each(snippets.filter(({ example }) => example !== undefined))(
  'the code of $page under $heading is that of $example, which runs in CI',
  ({ code, example = '' }) => expect(code).toBe(readFileSync(join(root, example), 'utf8')),
)

it('the documentation has no untested snippets', () => {
  const others = snippets.filter(
    ({ language, example }) => example === undefined && !['ts', 'js', 'json', 'jsonc', 'sh', 'yaml'].includes(language),
  )
  // Diffs, drawings and outputs. test/readme.test.ts checks those at the top of the README.
  expect(others.map(({ page, heading }) => [page, heading])).toEqual([
    ['README.md', 'flagdouble'],
    ['README.md', 'flagdouble'],
    ['README.md', 'Replace the Unleash container'],
    ['CONTRIBUTING.md', 'Where things are'],
    ['CONTRIBUTING.md', 'The path of a request'],
    ['docs/replace-unleash.md', 'Replace the container'],
    ['docs/replace-unleash.md', 'Replace Unleash Edge'],
  ])
})
