import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { operations } from '../../src/service/api/operations.js'
import { scratchFolder } from '../support/cli.js'
import { type RawAnswer, sendRaw } from '../support/raw.js'

const SECRET = 'the secret'

/** Serves a folder as the UI, with hidden files in it, and a file outside of it. */
async function serveUi(basePath = ''): Promise<(target: string, method?: string) => Promise<RawAnswer>> {
  const folder = scratchFolder()
  for (const inner of ['outside', 'ui/.git', 'ui/static/.cache', 'ui/static/js']) {
    mkdirSync(join(folder.path, inner), { recursive: true })
  }
  folder.put('ui/index.html', '<!doctype html><title>The frontend</title>')
  folder.put('ui/static/js/main.js', 'start()')
  folder.put('ui/logo.svg', '<svg/>')
  for (const hidden of ['.env', '.env.txt', '.git/config', '.git/config.txt', 'static/.cache/x.js']) {
    folder.put(`ui/${hidden}`, SECRET)
  }
  folder.put('outside.txt', SECRET)
  folder.put('outside/inner.txt', SECRET)
  const links = { 'static/link.txt': '../../outside.txt', 'static/linked': '../../outside', 'env.txt': '.env.txt' }
  for (const [link, target] of Object.entries({ ...links, 'logo.link.svg': 'logo.svg' })) {
    symlinkSync(target, join(folder.path, 'ui', link))
  }
  const server = await startServer({ basePath, profile: 'unleash-8' }, { port: 0, ui: join(folder.path, 'ui') })
  onTestFinished(() => server.close(0))
  return (target, method = 'GET') => sendRaw(server.port, { method, target: basePath + target })
}

describe.each(['', '/deep'])('the UI below the base path %j', (basePath) => {
  it('serves its files with their media types, and its page for every other path', async () => {
    const ask = await serveUi(basePath)
    const script = await ask('/static/js/main.js')
    expect([script.status, script.headers['content-type'], script.body]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'start()',
    ])
    expect((await ask('/logo.svg')).headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect((await ask('/logo.link.svg')).body).toBe('<svg/>')
    expect(JSON.parse((await ask('/__mock/scenario')).body)).toMatchObject({ app: `${basePath}/` })
    const head = await ask('/static/js/main.js', 'HEAD')
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '7', ''])
    for (const path of ['/', '/signed-out', '/projects/default', '/index.html', '/new-user?invite=x', '//projects']) {
      expect((await ask(path)).body).toContain('The frontend')
    }
    expect((await ask('/static/nothing.js')).status).toBe(404)
  })

  it.each([
    '/.env',
    '/.env.txt',
    '/%2eenv.txt',
    '/%2Eenv.txt',
    '/%252eenv.txt',
    '//.env.txt',
    '/.git/config',
    '/.git/config.txt',
    '/%2egit/config.txt',
    '/.git%2fconfig.txt',
    '/static/.cache/x.js',
    '/static%2f.cache/x.js',
    '/static/%2ecache/x.js',
    '/static/../.env.txt',
    '/static/%2e%2e/.env.txt',
    '/../outside.txt',
    '/static/../../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e%2foutside.txt',
    '/static/..%2f..%2foutside.txt',
    '/..%5coutside.txt',
    '/static/link.txt',
    '/static/linked/inner.txt',
    '/env.txt',
    '/%00.txt',
    '/%ZZ.txt',
  ])('does not serve %s', async (path) => {
    const ask = await serveUi(basePath)
    const answer = await ask(path)
    expect([400, 404, 501]).toContain(answer.status)
    expect(answer.body).not.toContain(SECRET)
  })

  it('leaves every path of Unleash to the mock', async () => {
    const ask = await serveUi(basePath)
    const areas = new Set(operations.map(({ path }) => path.split('/')[1]))
    for (const area of areas) expect((await ask(`/${area}/nothing`)).body).not.toContain('<title>The frontend')
    for (const path of ['/__mock/', '//__mock/state', '/__MOCK/x', '/docs/openapi.json', '/edge/x', '/ready']) {
      expect((await ask(path)).body).not.toContain('<title>The frontend')
    }
  })
})
