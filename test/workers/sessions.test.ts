import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ADMIN, CLIENT } from '../support/adapters.js'
import { readEvents } from '../support/events.js'
import { clientOf, startWorker, type TestWorker, type WorkerClient } from '../support/workers.js'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-workers-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const FEATURES = '/api/admin/projects/default/features'
const clone = (client: WorkerClient, name: string) =>
  client.send('POST', `${FEATURES}/checkout-redesign/clone`, { name })
const updateToken = (client: WorkerClient, expiresAt: string) =>
  client.send('PUT', '/api/admin/invite-link/tokens/live-invite', { expiresAt })
const names = async (client: WorkerClient) => {
  const { body } = await client.send('GET', '/__mock/state')
  return body.features.map(({ name }: { name: string }) => name).toSorted()
}
const BUILT_IN = ['archived-banner', 'checkout-redesign', 'legacy-export', 'push-opt-in']
const inTurn = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Runs a task for each number, thirty at a time, because a system has only so many connections. */
async function forAll(count: number, task: (index: number) => Promise<void>): Promise<void> {
  const numbers = inTurn(count).values()
  const lane = async () => {
    for (const index of numbers) await task(index)
  }
  await Promise.all(inTurn(30).map(lane))
}

describe('three hundred sessions', () => {
  it('clone and update tokens at once; none sees another, nothing is lost, and all continue after their objects were evicted', async () => {
    const storage = newFolder()
    const expiry = (index: number) => new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString()
    const work = async (client: WorkerClient, index: number, round: string) => {
      const answers = await Promise.all([
        ...inTurn(3).map((copy) => clone(client, `copy-${index}-${round}-${copy}`)),
        updateToken(client, expiry(index)),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
    const copies = (index: number, rounds: string[]) =>
      rounds.flatMap((round) => inTurn(3).map((copy) => `copy-${index}-${round}-${copy}`))
    {
      await using worker = await startWorker({ storage })
      await forAll(300, (index) => work(clientOf(worker, `tester-${index}`), index, 'before'))
    }
    await using worker = await startWorker({ storage })
    await forAll(300, async (index) => {
      const client = clientOf(worker, `tester-${index}`)
      await work(client, index, 'after')
      expect(await names(client)).toEqual([...BUILT_IN, ...copies(index, ['before', 'after'])].toSorted())
      const { body } = await client.send('GET', '/api/admin/invite-link/tokens/live-invite')
      expect(body.expiresAt).toBe(expiry(index))
      const { body: entries } = await client.send('GET', '/__mock/requests?operation=cloneFeature')
      expect(entries).toHaveLength(3)
    })
    expect(await names(clientOf(worker, 'somebody-else'))).toEqual(BUILT_IN)
  })
})

it('no acknowledged change is lost when the runtime is stopped in the middle of requests', async () => {
  const storage = newFolder()
  const sessions = inTurn(20)
  const acknowledged = sessions.map((): string[] => [])
  {
    await using worker = await startWorker({ storage })
    let stopping: PromiseLike<void> | undefined
    const work = async (index: number) => {
      const client = clientOf(worker, `tester-${index}`)
      while (stopping === undefined) {
        const name = `copy-${acknowledged[index]?.length}`
        const answer = await clone(client, name).catch(() => undefined)
        if (answer?.status === 200) acknowledged[index]?.push(name)
        if (acknowledged.flat().length >= 100) stopping ??= worker[Symbol.asyncDispose]()
      }
    }
    await Promise.all(sessions.map(work))
    await stopping
  }
  expect(acknowledged.flat().length).toBeGreaterThanOrEqual(100)
  await using worker = await startWorker({ storage })
  for (const index of sessions) {
    const kept = await names(clientOf(worker, `tester-${index}`))
    expect(kept).toEqual(expect.arrayContaining(acknowledged[index] ?? []))
    // Unacknowledged changes can also be stored: at most the one in progress.
    expect(kept.length - BUILT_IN.length - (acknowledged[index]?.length ?? 0)).toBeLessThanOrEqual(1)
  }
})

it("a session in the address of our page is the session of the page's requests, unless they name one", async () => {
  await using worker = await startWorker()
  const requests = async (session: string) =>
    (await clientOf(worker, session).send('GET', '/__mock/requests?operation=getFeatures')).body.length
  const ask = (session: string, query: string) =>
    worker.fetch(session, FEATURES, {
      headers: { authorization: ADMIN, 'sec-fetch-site': 'same-origin', referer: `${worker.url}/flags?${query}` },
    })
  const response = await ask('', 'scenario=empty&session=nora')
  expect(response.headers.get('x-mock-scenario')).toBe('empty')
  expect(response.headers.getSetCookie().map((text) => text.split(';')[0])).toEqual([
    'mock-scenario=empty',
    'mock-session=nora',
  ])
  expect([await requests('nora'), await requests('')]).toEqual([1, 0])
  expect((await ask('tom', 'scenario=empty&session=nora')).headers.getSetCookie()).toHaveLength(1)
  expect((await ask('', 'page=2&session=nora')).headers.getSetCookie()).toEqual([])
  expect([await requests('nora'), await requests('tom'), await requests('')]).toEqual([1, 1, 1])
})

describe('a session', () => {
  it('is named by header, cookie or subdomain', async () => {
    await using worker = await startWorker({ env: { FLAGDOUBLE_DOMAIN: 'localhost' } })
    await clone(clientOf(worker, 'by-name'), 'copy')
    const port = new URL(worker.url).port
    const has = async (headers: Record<string, string>, origin = worker.url) => {
      const { body } = await clientOf(worker, '').send('GET', `${origin}/__mock/state`, undefined, headers)
      return body.features.some(({ name }: { name: string }) => name === 'copy')
    }
    expect(await has({ 'x-mock-session': 'by-name' })).toBe(true)
    expect(await has({ cookie: 'mock-session=by-name' })).toBe(true)
    expect(await has({}, `http://by-name.localhost:${port}`)).toBe(true)
    expect(await has({ 'x-mock-session': 'other' }, `http://by-name.localhost:${port}`)).toBe(false)
    expect(await has({})).toBe(false)
  })

  it('sends its events', async () => {
    await using worker = await startWorker()
    const client = clientOf(worker, 'qa')
    const response = await worker.fetch('qa', '/__mock/events')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = readEvents(response)
    await clone(client, 'copy')
    const data = { operation: 'cloneFeature' }
    expect((await events.next()).value).toMatchObject({ event: 'request', id: '1', data })
    await client.send('PUT', '/__mock/scenario', { name: 'slow' })
    expect((await events.next()).value).toMatchObject({ event: 'scenario', data: { names: ['slow'] } })
    await events.return(undefined)
  })

  it('has the panel, which can control it', async () => {
    await using worker = await startWorker()
    expect(await (await worker.fetch('qa', '/__mock/')).text()).toContain('flagdouble · control panel')
    expect((await worker.fetch('qa', '/__mock/panel.js')).headers.get('content-type')).toContain('javascript')
    const headers = { origin: worker.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    const { status } = await clientOf(worker, 'qa').send('PUT', '/__mock/scenario', { name: 'slow' }, headers)
    expect(status).toBe(200)
  })

  it('reads profile and scenario from variables, scenarios and fixtures from options', async () => {
    const scenario = {
      name: 'own',
      title: 'Own',
      promise: 'Cloning fails.',
      force: [{ operation: 'cloneFeature', status: 500 }],
    } as const
    const options = { scenarios: [scenario], fixtures: { features: [{ name: 'mine' }] } }
    await using worker = await startWorker({
      options,
      env: { FLAGDOUBLE_SCENARIO: 'own', FLAGDOUBLE_PROFILE: 'unleash-8' },
    })
    const client = clientOf(worker, 'qa')
    expect((await clone(client, 'copy')).status).toBe(500)
    expect(await names(client)).toContain('mine')
    expect((await client.send('GET', '/api/admin/nothing')).status).toBe(404)
  })

  it('takes the state of a flag as a scenario: from a variable, the address and a link, also after an eviction', async () => {
    const storage = newFolder()
    const env = { FLAGDOUBLE_SCENARIO: 'legacy-export:gone' }
    const both = ['legacy-export', 'checkout-redesign']
    const toldIn = async (worker: TestWorker, query = '', headers = {}) => {
      const init = { headers: { authorization: CLIENT, ...headers } }
      const { features } = await (await worker.fetch('qa', `/api/client/features${query}`, init)).json()
      const names = features.map(({ name }: { name: string }) => name)
      return both.filter((name) => names.includes(name))
    }
    let cookie = ''
    {
      await using worker = await startWorker({ storage, env })
      expect(await toldIn(worker)).toEqual(['checkout-redesign'])
      expect(await toldIn(worker, '?scenario=checkout-redesign:gone')).toEqual([])
      const link = await worker.fetch('qa', '/__mock/use/checkout-redesign:gone?redirect=/')
      cookie = link.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      expect([link.status, await toldIn(worker, '', { cookie })]).toEqual([302, []])
    }
    await using worker = await startWorker({ storage, env })
    expect(await toldIn(worker, '', { cookie })).toEqual([])
    expect(await toldIn(worker)).toEqual(['checkout-redesign'])
  })

  it('names the missing line of wrangler.jsonc if its class has no SQLite', async () => {
    await using worker = await startWorker({ useSQLite: false })
    const { status, body } = await clientOf(worker, 'qa').send('GET', FEATURES)
    expect([status, body.code]).toEqual([500, 'STATE_NOT_SAVED'])
    expect(body.hint).toContain('new_sqlite_classes')
  })

  it('names the invalid variable', async () => {
    await using worker = await startWorker({ env: { FLAGDOUBLE_SCENARIO: 'emtpy' } })
    const { status, body } = await clientOf(worker, 'qa').send('GET', FEATURES)
    expect([status, body.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
  })

  it('returns 502 in place of a broken connection, and half a body in place of a cut one', async () => {
    await using worker = await startWorker()
    const client = clientOf(worker, 'qa')
    expect((await client.send('GET', FEATURES, undefined, { 'x-mock-scenario': 'offline' })).status).toBe(502)
    await client.send('POST', '/__mock/forced', { operation: 'cloneFeature', fault: 'truncate' })
    const { status, text } = await clone(client, 'copy')
    expect(status).toBe(500)
    expect(() => JSON.parse(text)).toThrow()
  })
})

it('a link starts a scenario over in the session that it names, and the login stays', async () => {
  await using worker = await startWorker()
  const login = await worker.fetch('nora', '/auth/simple/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'editor', password: 'flagdouble' }),
  })
  const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? ''
  const nora = clientOf(worker, 'nora')
  await clone(nora, 'mine')
  expect(await names(nora)).toContain('mine')
  const link = await worker.fetch('', '/__mock/use/default?session=nora&redirect=/flags', { redirect: 'manual' })
  expect([link.status, link.headers.get('location')]).toEqual([302, '/flags'])
  expect(link.headers.getSetCookie().map((text) => text.split(';')[0])).toEqual([
    'mock-scenario=default',
    'mock-session=nora',
  ])
  expect(await names(nora)).not.toContain('mine')
  expect((await worker.fetch('nora', '/api/admin/user', { headers: { cookie } })).status).toBe(200)
})
