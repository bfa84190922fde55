import { expect, it } from 'vitest'
import { onEveryAdapter } from '../support/adapters.js'

const project = '/api/admin/projects/default/features'
const feature = `${project}/checkout-redesign`
const invite = '/api/admin/invite-link/tokens/live-invite'

onEveryAdapter('The title of a step', (client) => {
  const titles = async (): Promise<string[]> => {
    const { body } = await client.send('GET', '/__mock/history', undefined, { key: null })
    return body.map(({ title }: { title: string }) => title)
  }
  const send = (method: string, path: string, body?: unknown, key = 'user:mock-admin') =>
    client.send(method, path, body, { key })

  it.for<[number, string, string, unknown, string]>([
    [200, 'POST', `${feature}/clone`, { name: 'n1' }, 'Admin cloned checkout-redesign as n1'],
    [201, 'POST', project, { name: 'n1', type: 'release' }, 'Admin created n1'],
    [
      200,
      'POST',
      '/api/admin/projects/mobile-app/features/push-opt-in/environments/production/on',
      undefined,
      'Admin switched push-opt-in on in production',
    ],
    [
      200,
      'POST',
      `${project}/legacy-export/environments/production/off`,
      undefined,
      'Admin switched legacy-export off in production',
    ],
    [202, 'DELETE', feature, undefined, 'Admin archived checkout-redesign'],
    [
      200,
      'POST',
      '/api/admin/projects/default/revive',
      { features: ['archived-banner'] },
      'Admin revived archived-banner',
    ],
    [
      202,
      'POST',
      '/api/admin/projects/default/archive',
      { features: ['checkout-redesign', 'legacy-export'] },
      'Admin archived checkout-redesign and legacy-export',
    ],
    [
      200,
      'PATCH',
      feature,
      [{ op: 'replace', path: '/description', value: 'x' }],
      'Admin changed the description of checkout-redesign',
    ],
    [
      200,
      'PATCH',
      feature,
      [{ op: 'replace', path: '/stale', value: true }],
      'Admin marked checkout-redesign as stale',
    ],
    [
      201,
      'POST',
      '/api/admin/features/checkout-redesign/tags',
      { type: 'simple', value: 'ours' },
      'Admin tagged checkout-redesign with simple:ours',
    ],
    [
      200,
      'POST',
      `${feature}/environments/production/strategies`,
      { name: 'default' },
      'Admin added the strategy default to checkout-redesign in production',
    ],
    [200, 'PUT', invite, { enabled: false }, 'Admin disabled the invite Live invite'],
    [200, 'PUT', invite, { expiresAt: '2026-11-19T00:00:00Z' }, 'Admin let the invite Live invite expire'],
    [
      200,
      'PUT',
      invite,
      { expiresAt: '2026-12-24T00:00:00Z' },
      'Admin moved the expiry of the invite Live invite to 2026-12-24',
    ],
    [
      201,
      'POST',
      '/api/admin/invite-link/tokens',
      { name: 'Team', expiresAt: '2026-12-01T00:00:00Z' },
      'Admin created the invite Team',
    ],
    [201, 'POST', '/api/admin/segments', { name: 'Beta', constraints: [] }, 'Admin created the segment Beta'],
    [200, 'PUT', '/api/admin/user-admin/3', { rootRole: 2 }, 'Admin changed the user Viewer'],
  ])('%i for %s %s is described by a sentence', async ([status, method, path, body, title]) => {
    expect((await send(method, path, body)).status).toBe(status)
    expect((await titles()).slice(1)).toEqual([title])
  })

  it('a change of the rollout gives its new value, and the API token that sent it', async () => {
    const { body } = await send('GET', `${feature}/environments/development/strategies`)
    const patch = [{ op: 'replace', path: '/parameters/rollout', value: '55' }]
    await send('PATCH', `${feature}/environments/development/strategies/${body[0].id}`, patch, '*:*.mock-admin')
    expect((await titles()).at(-1)).toBe('mock-admin set the rollout of checkout-redesign in development to 55 %')
  })

  it('changes to the mock are also described', async () => {
    const call = (method: string, path: string, body?: unknown) =>
      client.send(method, `/__mock/${path}`, body, { key: null })
    await call('PATCH', 'state', { features: [{ name: 'mine' }] })
    await call('PUT', 'clock', { now: '2026-12-24T00:00:00Z' })
    await call('POST', 'clock/advance', { days: 1, hours: 2 })
    const { body: rule } = await call('POST', 'forced', { operation: 'cloneFeature', status: 503 })
    await call('DELETE', `forced/${rule.id}`)
    await call('POST', 'forced', { operation: '*', delay: 1 })
    await call('DELETE', 'forced')
    await call('DELETE', 'clock')
    await call('PUT', 'state', {})
    expect((await titles()).slice(1)).toEqual([
      'Records were added',
      'The clock was set to 2026-12-24 00:00:00 UTC',
      'The clock was advanced by 1 day and 2 hours',
      'A rule was added for cloneFeature: 503',
      'A rule was removed for cloneFeature: 503',
      'A rule was added for every operation',
      'All rules were removed',
      'The clock was returned to real time',
      'The data was replaced',
    ])
  })

  it('a sentence contains no secret', async () => {
    await send('POST', '/api/admin/api-tokens', {
      tokenName: 'ci',
      type: 'client',
      environment: 'development',
      projects: ['*'],
    })
    const [, title] = await titles()
    expect(title).toBe('Admin created the api token ci')
  })
})
