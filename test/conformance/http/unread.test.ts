import { expect, it } from 'vitest'
import { ADMIN, FRONTEND, onEveryAdapter } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'

onEveryAdapter('names that nothing reads', (client) => {
  const hintOf = async (method: string, path: string, body?: unknown, key = ADMIN) => {
    const { status, headers } = await client.send(method, path, body, { key })
    return [status, decodeURIComponent(headers.get('x-mock-hint') ?? '')]
  }

  it.each<[method: string, path: string, body: unknown, told: [status: number, hint: string]]>([
    [
      'POST',
      features,
      { name: 'x', impressiondata: true },
      [201, 'The field "impressiondata" has no effect. Did you mean "impressionData"?'],
    ],
    ['POST', features, { nme: 'x' }, [400, 'The field "nme" has no effect. Did you mean "name"?']],
    [
      'POST',
      `${features}/checkout-redesign/clone`,
      { nmae: 'x' },
      [400, 'The field "nmae" has no effect. Did you mean "name"?'],
    ],
    [
      'GET',
      '/api/admin/search/features?sortby=name',
      undefined,
      [200, 'The query parameter "sortby" has no effect. Did you mean "sortBy"?'],
    ],
    [
      'GET',
      `${features}/checkout-redesing`,
      undefined,
      [404, 'There is no "checkout-redesing". Did you mean "checkout-redesign"?'],
    ],
    [
      'POST',
      `${features}/checkout-redesign/environments/dev/on`,
      undefined,
      [404, 'There is no "dev". Did you mean "development"?'],
    ],
    ['PUT', '/api/frontend', {}, [404, 'This path takes GET, POST.']],
  ])('%s %s %j gets a hint', async (method, path, body, told) => {
    expect(await hintOf(method, path, body, path === '/api/frontend' ? FRONTEND : ADMIN)).toEqual(told)
  })

  it.each([
    ['?userid=7', 'The context field "userid" is unknown. Did you mean "userId"?'],
    ['?properties%5Buserid%5D=7', 'The context field "userid" is unknown. Did you mean "userId"?'],
    ['?environment=production', 'The environment "production" has no effect: the API token names development.'],
  ])('an SDK that sends %s gets a hint', async (query, hint) => {
    expect(await hintOf('GET', `/api/frontend${query}`, undefined, FRONTEND)).toEqual([200, hint])
  })

  it.each([
    [{ contxt: { userId: '7' } }, 'The body has no context. Write { "context": { "userId": "7" } }.'],
    [{ userId: '7' }, 'The body has no context. Write { "context": { "userId": "7" } }.'],
    [{ context: { userid: '7' } }, 'The context field "userid" is unknown. Did you mean "userId"?'],
  ])('an SDK that sends %j gets a hint', async (body, hint) => {
    expect(await hintOf('POST', '/api/frontend', body, FRONTEND)).toEqual([200, hint])
  })

  it.each([
    ['GET', '/api/frontend?appName=shop&environment=default&userId=7&properties%5Bplan%5D=pro'],
    ['GET', '/api/frontend?environment=development&companyId=3&tenant=x'],
    ['POST', '/api/frontend'],
    ['GET', '/api/admin/search/features?sortBy=name&_=17'],
  ])('%s %s gets no hint', async (method, path) => {
    const body = method === 'POST' ? {} : undefined
    expect(await hintOf(method, path, body, path.startsWith('/api/frontend') ? FRONTEND : ADMIN)).toEqual([200, ''])
  })

  it('headers and cookies that were meant for the mock get a hint', async () => {
    const ask = async (headers: Record<string, string>) => {
      const answer = await client.send('GET', '/health', undefined, { headers })
      return [answer.status, decodeURIComponent(answer.headers.get('x-mock-hint') ?? '')]
    }
    expect(await ask({ 'x-scenario': 'empty' })).toEqual([
      200,
      'The header "x-scenario" has no effect. Did you mean "x-mock-scenario"?',
    ])
    expect(await ask({ 'x-scenario': 'of-our-load-test' })).toEqual([200, ''])
    expect(await ask({ cookie: 'theme=dark; mock-scenaro=empty' })).toEqual([
      200,
      'The cookie "mock-scenaro" has no effect. Did you mean "mock-scenario"?',
    ])
    expect(await ask({ cookie: 'mock-server=on' })).toEqual([200, ''])
  })

  it.each([
    [
      '/health',
      { 'mock-scenario': 'empty' },
      'The header "mock-scenario" has no effect. Did you mean "x-mock-scenario"?',
    ],
    ['/health?mock-scenario=empty', {}, 'The query parameter "mock-scenario" has no effect. Did you mean "scenario"?'],
  ])('%s with %j is rejected', async (path, headers, message) => {
    const { status, body } = await client.send('GET', path, undefined, { headers })
    expect([status, body.message]).toEqual([400, message])
  })
})
