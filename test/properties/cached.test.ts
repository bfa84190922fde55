import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createMock, type Mock, type PartialState } from '../../src/index.js'
import { Cache, uncached } from '../../src/service/store/cache.js'
import { ADMIN, CLIENT, EDITOR, FIXED, FRONTEND, VIEWER } from '../support/adapters.js'
import { type AnyRequest, anyRead, anyWrite, MEETING } from '../support/any-request.js'
import { AMPLE, RUNS } from '../support/runs.js'

/** The reads after each change. */
const PROJECT = '/api/admin/projects/default'
const asked: readonly (readonly [path: string, key: string, headers?: Record<string, string>])[] = [
  ['/api/client/features', CLIENT],
  ['/api/client/features', CLIENT, { 'unleash-client-spec': '5.0.0' }],
  ['/api/client/features', 'default:development.spare'],
  ['/api/client/features?namePrefix=ch&tag=simple:night', CLIENT],
  ['/api/frontend?userId=7&appName=shop', FRONTEND],
  [`${PROJECT}/features`, ADMIN],
  [`${PROJECT}/features`, EDITOR],
  [`${PROJECT}/features?namePrefix=ch&tag=simple:night`, EDITOR],
  ['/api/admin/projects/mobile-app/features', VIEWER],
  [`${PROJECT}/features/checkout-redesign`, ADMIN],
  [`${PROJECT}/features/checkout-redesign`, EDITOR],
  [`${PROJECT}/features/legacy-export`, EDITOR],
  [`${PROJECT}/health-report`, EDITOR],
  [`${PROJECT}/overview`, EDITOR],
  [`${PROJECT}/status`, ADMIN],
  [`${PROJECT}/insights`, ADMIN],
  [`${PROJECT}/flag-creators`, ADMIN],
  ['/api/admin/projects/mobile-app/overview', ADMIN],
  ['/api/admin/projects', ADMIN],
  ['/api/admin/search/features', EDITOR],
  ['/api/admin/search/features?sortBy=name&sortOrder=desc&favoritesFirst=true&lifecycle=IS:archived', EDITOR],
  ['/api/admin/search/features?query=ch&status=development:enabled&sortBy=environment:production', ADMIN],
  ['/api/admin/flag-creators', ADMIN],
  ['/api/admin/lifecycle/count', ADMIN],
  ['/api/admin/environments', ADMIN],
  [`/api/admin/environments/project/default`, ADMIN],
  ['/api/admin/personal-dashboard', EDITOR],
  ['/api/admin/personal-dashboard/default', EDITOR],
  ['/api/admin/instance-admin/statistics', ADMIN],
  ['/api/admin/ui-config', ADMIN],
]
const everyRead: readonly AnyRequest[] = asked.map(([path, key]) => ({
  id: '',
  method: 'GET',
  path,
  key,
  body: undefined,
}))

async function answerOf(mock: Mock, { method, path, key, body }: AnyRequest, more: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: key }), ...more }
  const init = { method, headers, ...(body === undefined ? {} : { body }) }
  const response = await mock.fetch(new Request(`http://localhost:4242${path}`, init))
  return { status: response.status, headers: [...response.headers], text: await response.text() }
}

/** Sends a request to both mocks. The first caches as much as possible; the second computes everything again. */
async function expectSame(mocks: readonly [Mock, Mock], request: AnyRequest, headers?: Record<string, string>) {
  const cached = await answerOf(mocks[0], request, headers)
  const cacheOf = vi.spyOn(Cache.prototype, 'forTable').mockReturnValue(uncached)
  const anew = await answerOf(mocks[1], request, headers)
  cacheOf.mockRestore()
  expect(cached, `${request.method} ${request.path}`).toEqual(anew)
}

const strategies = [{ id: 'for-staff', name: 'default', segments: [1] }]
/** Responses about a few records are not cached. These are in no list. */
const MANY: PartialState = {
  features: Array.from({ length: 100 }, (_, number) => ({ name: `gone-${number}`, archivedAt: 'now-90d' })),
}
const IN_SEGMENT: PartialState = {
  features: [{ name: 'for-staff', environments: [{ name: 'development', strategies }] }],
}

/** State that changes the presentation of other records. */
const given: readonly PartialState[] = [
  { environments: [{ name: 'development', sortOrder: 5000, type: 'production' }] },
  { environments: [{ name: 'production', sortOrder: 1, type: 'test' }] },
  { segments: [{ id: 1, constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }] }] },
  { segments: [{ id: 1, name: 'renamed' }] },
  { featureTypes: [{ id: 'release', name: 'Release', description: '', lifetimeDays: 1 }] },
  { features: [{ name: 'legacy-export', stale: true, createdAt: 'now-50d', lastSeenAt: 'now' }] },
  { features: [{ name: 'checkout-redesign', archivedAt: 'now-40d' }] },
  { favorites: [{ userId: 2, kind: 'feature', name: 'legacy-export' }] },
  { projects: [{ id: 'default', createdAt: 'now-1d' }] },
]

const HOUR = 3_600_000
const step = fc.record({
  write: anyWrite,
  more: fc.option(fc.constantFrom(...given), { freq: 2 }),
  reads: fc.array(anyRead, { maxLength: 3 }),
  /** Most steps are at the same time as the step before. */
  wait: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(HOUR, 24 * HOUR, 40 * 24 * HOUR)),
  reset: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
})

describe.each(['documented', 'unleash-8'] as const)('in the profile %s', (profile) => {
  it('a response is the same to the byte, whether cached or computed', {
    timeout: AMPLE,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const options = { ...FIXED, profile, fixtures: [MEETING, IN_SEGMENT, MANY] }
        const mocks = [createMock(options), createMock(options)] as const
        for (const { write, more, reads, wait, reset } of steps) {
          for (const mock of mocks) {
            if (wait > 0) mock.clock.advance(wait)
            if (reset) mock.reset()
            if (more !== null) mock.add(more)
          }
          await expectSame(mocks, write)
          for (const [i, read] of everyRead.entries()) await expectSame(mocks, read, asked[i]?.[2])
          for (const read of reads) await expectSame(mocks, read)
        }
      }),
      { numRuns: 2 * RUNS },
    )
  })
})
