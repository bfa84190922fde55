import { expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock } from '../../src/index.js'
import { CLIENT, FIXED, onEveryAdapter, read } from '../support/adapters.js'

const MINUTE = 60_000
const asSdk = { key: CLIENT }
const sdkPath = '/api/client/features'

onEveryAdapter('Waiting for a request', (client) => {
  const wait = (query: string, headers = {}) =>
    client.send('GET', `/__mock/requests?${query}`, undefined, { key: null, headers })

  it('the next matching request settles the wait, and no earlier request does', async () => {
    await client.send('GET', sdkPath, undefined, asSdk)
    const next = client.mock.requests.waitFor({ operation: 'getAllClientFeatures' }, { timeout: MINUTE })
    await client.send('GET', '/health')
    await client.send('GET', sdkPath, undefined, asSdk)
    expect(await next).toMatchObject({ id: 3, operation: 'getAllClientFeatures', status: 200, caller: 'mock-client' })
    expect(await client.mock.requests.waitFor({ since: 1 })).toMatchObject({ id: 2 })
  })

  it("fake timers don't end the wait", async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const next = client.mock.requests.waitFor({ operation: 'getAllClientFeatures' }, { timeout: 5000 })
    vi.advanceTimersByTime(15_000)
    vi.useRealTimers()
    await client.send('GET', sdkPath, undefined, asSdk)
    expect(await next).toMatchObject({ operation: 'getAllClientFeatures' })
  })

  it('over HTTP, the request is in a list', async () => {
    await client.send('GET', sdkPath, undefined, asSdk)
    const first = client.mock.requests.all()[0]
    const next = wait(`operation=getAllClientFeatures&since=${first?.id}&wait=${MINUTE}`)
    await client.send('GET', '/health')
    await client.send('GET', sdkPath, undefined, asSdk)
    const { status, body } = await next
    expect([status, body.length]).toEqual([200, 1])
    expect(body[0]).toEqual(client.mock.requests.all()[2])
  })

  it('a wait that times out lists the other requests', async () => {
    const next = client.mock.requests.waitFor({ operation: 'cloneFeature' }, { timeout: 1500 })
    const told = expect(next).rejects.toMatchObject({
      code: 'NOTHING_CAME',
      message: expect.stringMatching(/cloneFeature.*within 1500 ms.*#1 GET \/health → 200 getHealth/s),
    })
    await client.send('GET', '/health')
    await told
    const { status, headers, body } = await wait('operation=cloneFeature&wait=1')
    expect([status, headers.get('x-mock-error')]).toEqual([408, 'NOTHING_CAME'])
    expect(body).toMatchObject({
      message: expect.stringContaining('No request arrived.'),
      hint: expect.stringMatching(/./),
    })
  })

  it('a misspelt operation and an invalid timeout are rejected at once', async () => {
    const { requests } = client.mock
    const misspelt = { operation: 'cloneFeatur' } as never
    await expect(requests.waitFor(misspelt, { timeout: MINUTE })).rejects.toThrow('Did you mean "cloneFeature"?')
    await expect(requests.waitFor({ opration: 'x' } as never)).rejects.toThrow('There is no filter "opration".')
    for (const timeout of [-1, Number.NaN, 600_001]) {
      await expect(requests.waitFor({}, { timeout })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    }
    await expect(requests.waitFor({}, { timeuot: 1 } as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    for (const query of [
      `operation=cloneFeatur&wait=${MINUTE}`,
      'wait=soon',
      'wait=600001',
      `wait=${MINUTE}&status=ok`,
    ]) {
      expect((await wait(query)).body.code).toBe('INVALID_REQUEST')
    }
  })

  it('a wait ends at a reset, and stays with the session', async () => {
    const inNora = client.mock.session('nora').requests.waitFor({}, { timeout: MINUTE })
    const here = wait(`wait=${MINUTE}`)
    const inProcess = expect(client.mock.requests.waitFor({}, { timeout: MINUTE })).rejects.toThrow('before a reset')
    // By then, the call over HTTP has also arrived.
    for (let i = 0; i < 20; i++) await client.send('GET', '/__mock/health')
    client.mock.reset()
    await inProcess
    expect((await here).status).toBe(408)
    await client.send('GET', '/health', undefined, { headers: { 'x-mock-session': 'nora' } })
    expect(await inNora).toMatchObject({ operation: 'getHealth' })
    expect(client.mock.requests.all()).toEqual([])
  })

  it('a client that disconnects stops its wait, and the others continue', async () => {
    const abort = new AbortController()
    const path = `/__mock/requests?wait=${MINUTE}`
    const gone = client.adapter.fetch(path, { signal: abort.signal })
    const other = client.mock.requests.waitFor({}, { timeout: MINUTE })
    for (let i = 0; i < 20; i++) await client.send('GET', '/__mock/health')
    abort.abort()
    await expect(gone).rejects.toThrow()
    await client.send('GET', '/health')
    expect(await other).toMatchObject({ operation: 'getHealth' })
  })

  it('waiting also works with an empty journal', async () => {
    const mock = createMock({ ...FIXED, journalSize: 0 })
    const next = mock.requests.waitFor({ operation: 'getHealth', key: CLIENT }, { timeout: MINUTE })
    await mock.fetch(new Request('http://localhost/health', { headers: { authorization: `Bearer ${CLIENT}` } }))
    expect(await next).toMatchObject({ operation: 'getHealth' })
  })
})

it('a server that closes ends the waits', async () => {
  const { url, close } = await startServer(FIXED, { port: 0 })
  const waiting = fetch(`${url}/__mock/requests?wait=${MINUTE}`)
  for (let i = 0; i < 20; i++) await (await fetch(`${url}/__mock/health`)).text()
  await close(MINUTE)
  expect((await read(await waiting)).body).toMatchObject({ code: 'NOTHING_CAME' })
})

it('a disposed mock ends the waits', async () => {
  const mock = createMock(FIXED)
  const told = expect(mock.requests.waitFor({}, { timeout: MINUTE })).rejects.toMatchObject({ code: 'NOTHING_CAME' })
  await mock[Symbol.asyncDispose]()
  await told
})
