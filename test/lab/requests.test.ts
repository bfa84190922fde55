import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Requests } from '../../lab/requests.js'
import { operationOf } from '../fidelity/compare.js'

const all = (seed: number, only = '') => {
  const requests = new Requests(seed, only)
  return Array.from({ length: 300 }, (_, step) => requests.next(step))
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00.000Z'), toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the requests of a campaign', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(all(1)).toEqual(all(1))
    expect(all(1)).not.toEqual(all(2))
  })

  it('call many operations, by several callers, and reach out to no other machine', () => {
    const requests = [1, 2, 3].flatMap((seed) => all(seed))
    const called = new Set(requests.map(operationOf))
    expect(called.size).toBeGreaterThan(150)
    for (const id of ['createAddon', 'updateAddon', 'toggleMaintenance']) expect(called).not.toContain(id)
    expect(new Set(requests.map(({ actor }) => actor))).toContain('pat:viewer')
  })

  it('are for the chosen operations alone', () => {
    const called = new Set(all(1, 'clone').map(operationOf))
    expect([...called].filter((id) => id !== undefined)).toEqual(['cloneFeature'])
  })

  it('look at each change with two reads, by who made it', () => {
    const requests = new Requests(1)
    let change = requests.next(0)
    for (let step = 1; change.method === 'GET' || change.actor !== 'pat:admin'; step += 1) change = requests.next(step)
    requests.learn(change, { status: 200, headers: {}, cookies: [] })
    const reads = [requests.next(301), requests.next(302)]
    expect(reads.map(({ method }) => method)).toEqual(['GET', 'GET'])
    for (const { actor } of reads) expect(['pat:admin', 'backendAll', 'frontend', 'none']).toContain(actor)
  })

  it('call each operation before any comes again', () => {
    const requests = new Requests(1, 'tag')
    const called = Array.from({ length: 22 }, (_, step) => operationOf(requests.next(step)))
    const others = called.filter((id) => id !== undefined)
    expect(new Set(others).size).toBeGreaterThan(10)
    expect(Math.max(...others.map((id) => others.filter((one) => one === id).length))).toBeLessThanOrEqual(3)
  })

  it('name the strategies and links that exist', () => {
    const requests = new Requests(1, 'getFeatureStrategy')
    const path = '/api/admin/projects/default/features/flag-b/environments/production/strategies'
    requests.learn(
      { method: 'POST', path, actor: 'admin' },
      { status: 200, headers: {}, cookies: [], body: { id: 'MINE' } },
    )
    const paths = Array.from({ length: 20 }, (_, step) => requests.next(step).path)
    expect(paths.some((one) => one.endsWith('/features/flag-b/environments/production/strategies/MINE'))).toBe(true)
  })
})
