import { expect, it } from 'vitest'
import { CLIENT, FRONTEND } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

onBothProfiles('impact metrics', (client) => {
  const shown = async () => {
    const { body } = await client.send('GET', '/internal-backstage/impact/metrics', undefined, { key: null })
    return body.split('\n').filter((line: string) => line !== '')
  }
  const report = (impactMetrics: unknown[], { key = CLIENT, path = '/api/client/metrics' } = {}) =>
    client.send('POST', path, { appName: 'shop', instanceId: 'i', impactMetrics }, { key })
  const counter = (value: number, labels = { plan: 'gold' }) => ({
    name: 'orders',
    help: 'Orders placed',
    type: 'counter',
    samples: [{ labels, value }],
  })

  it('counters add up by their labels', async () => {
    await report([counter(5)])
    await report([counter(10), counter(1, { plan: 'free' })])
    expect(await shown()).toEqual([
      '# HELP orders Orders placed',
      '# TYPE orders counter',
      'orders{origin="sdk",metric_type="counter",plan="gold"} 15',
      'orders{origin="sdk",metric_type="counter",plan="free"} 1',
    ])
  })

  it('a gauge shows the latest value', async () => {
    const gauge = (value: number) => ({ name: 'open-carts', help: 'h', type: 'gauge', samples: [{ value }] })
    await report([gauge(7)])
    await report([gauge(3)])
    expect(await shown()).toContain('open_carts{origin="sdk",metric_type="gauge"} 3')
  })

  it('histograms add up by bucket', async () => {
    const sample = {
      labels: { plan: 'gold', area: 'eu', Zone: 1 },
      count: 3,
      sum: 1.5,
      buckets: [
        { le: '+Inf', count: 3 },
        { le: 10, count: 2 },
        { le: 2, count: 1 },
      ],
    }
    const histogram = { name: 'latency', help: 'h', type: 'histogram', samples: [sample] }
    await report([histogram])
    await report([histogram])
    // By name, together with Unleash's own.
    const labels = 'Zone="1",area="eu",metric_type="histogram",origin="sdk",plan="gold"'
    expect(await shown()).toEqual([
      '# HELP latency h',
      '# TYPE latency histogram',
      `latency_bucket{${labels},le="2"} 2`,
      `latency_bucket{${labels},le="10"} 4`,
      `latency_bucket{${labels},le="+Inf"} 6`,
      `latency_sum{${labels}} 3`,
      `latency_count{${labels}} 6`,
    ])
  })

  it('they come from frontends and in bulk; malformed ones are ignored', async () => {
    await report([counter(1)], { key: FRONTEND, path: '/api/frontend/client/metrics' })
    const bulk = { applications: [], metrics: [], impactMetrics: [counter(2)] }
    await client.send('POST', '/api/client/metrics/bulk', bulk, { key: CLIENT })
    expect((await report([{ name: 'x', type: 'nope' }, 'y', { ...counter(1), type: 'gauge' }])).status).toBe(202)
    expect((await shown()).slice(2)).toEqual(['orders{origin="sdk",metric_type="counter",plan="gold"} 3'])
  })
})

onBothProfiles('aliases of tokens', (client) => {
  it('an alias can be sent in place of the secret', async () => {
    client.mock.add({
      apiTokens: [{ secret: '*:development.s1', type: 'client', environment: 'development', alias: 'short' }],
    })
    const read = async (key: string) => (await client.send('GET', '/api/client/features', undefined, { key })).status
    expect([await read('short'), await read('shorter')]).toEqual([200, 401])
    const { body } = await client.send('GET', '/api/admin/api-tokens')
    expect(body.tokens).toContainEqual(expect.objectContaining({ secret: '*:development.s1', alias: 'short' }))
  })
})
