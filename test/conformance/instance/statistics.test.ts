import { expect, it } from 'vitest'
import { VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const path = '/api/admin/instance-admin/statistics'

onBothProfiles('statistics of the instance', (client) => {
  it('they include the largest numbers in use, and a checksum that changes with them', async () => {
    const { body: before } = await client.send('GET', path)
    client.mock.add({
      features: [
        {
          name: 'big',
          environments: [
            {
              name: 'development',
              strategies: Array.from({ length: 7 }, () => ({
                name: 'default',
                constraints: [
                  { contextName: 'userId', operator: 'IN' as const, values: Array.from({ length: 40 }, String) },
                ],
              })),
            },
          ],
        },
        { name: 'gone', archived: true },
      ],
    })
    const { body } = await client.send('GET', path)
    expect(body).toMatchObject({
      maxEnvironmentStrategies: 7,
      maxConstraintValues: 40,
      archivedFeatureToggles: before.archivedFeatureToggles + 1,
      featureExports: 0,
      featureImports: 0,
      releaseTemplates: 1,
      releasePlans: 0,
    })
    expect(body.sum).toMatch(/^[0-9a-f]{64}$/)
    expect(body.sum).not.toBe(before.sum)
  })

  it('users with an e-mail address need a licence, up to 30 days after their deletion', async () => {
    const licensed = async () => (await client.send('GET', path)).body.licensedUsers
    const before = await licensed()
    const add = async (user: object) =>
      (await client.send('POST', '/api/admin/user-admin', { ...user, rootRole: 3 })).body
    await add({ username: 'nameless' })
    expect(await licensed()).toBe(before)
    const { id } = await add({ email: 'leaving@example.com' })
    await client.send('DELETE', `/api/admin/user-admin/${id}`)
    expect(await licensed()).toBe(before + 1)
    client.mock.clock.advance({ days: 31 })
    expect(await licensed()).toBe(before)
  })

  it('they have a number for each of the last twelve months, and count applications from the latest on', async () => {
    const { edgeInstanceUsage, clientApps, timestamp } = (await client.send('GET', path)).body
    const months = Object.keys(edgeInstanceUsage)
    expect([months.length, months[0]]).toEqual([12, timestamp.slice(0, 7)])
    expect(months).toEqual(months.toSorted().toReversed())
    expect(clientApps.map(({ range }: { range: string }) => range)).toEqual(['7d', '30d', 'allTime'])
  })

  it('they count the API tokens by their original type', async () => {
    const { apiTokens } = (await client.send('GET', path)).body
    expect(apiTokens).toEqual({ admin: 1, client: 1, frontend: 1 })
    client.mock.add({ apiTokens: [{ secret: '*:development.new', type: 'backend', environment: 'development' }] })
    expect((await client.send('GET', path)).body.apiTokens).toEqual({ ...apiTokens, backend: 1 })
  })

  it('Prometheus reads them in its format, without an API token', async () => {
    const { status, body, headers } = await client.send('GET', '/internal-backstage/prometheus', undefined, {
      key: null,
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const { users, apiTokens } = (await client.send('GET', path)).body
    expect(body).toContain(`# TYPE users_total gauge\nusers_total ${users}\n\n`)
    expect(body).toContain(`\napi_tokens_total{type="client"} ${apiTokens.client}\n`)
    expect(body).toMatch(/^(# (HELP|TYPE) \w+ .+\n|\w+(\{\w+="[^"]*"\})? \d+\n|\n)+$/)
  })

  it('they are also available as a table', async () => {
    const { status, body, headers } = await client.send('GET', `${path}/csv`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const [names = '', values = '', ...more] = body.split('\n')
    expect(more).toEqual([])
    expect(names).toContain('"timestamp","instanceId","versionOSS"')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="unleash-[\w-]+\.csv"$/)
    expect(values).toContain('"8.2.0"')
    expect(values).toContain('"{""last7""')
    expect(values).toContain('"{""admin"":1,""frontend"":1,""client"":1}"')
  })
})

onBothProfiles("the instance's reports about itself", (client) => {
  it('it is ready, and sends no telemetry', async () => {
    expect((await client.send('GET', '/ready', undefined, { key: null })).body).toEqual({ health: 'GOOD' })
    expect((await client.send('GET', '/api/admin/telemetry/settings', undefined, { key: VIEWER })).body).toEqual({
      versionInfoCollectionEnabled: false,
      featureInfoCollectionEnabled: false,
    })
  })
})
