import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.js'
import { ADMIN, FIXED } from '../support/adapters.js'

const instant = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
})

async function update(mock: Mock, expiresAt: unknown) {
  const response = await mock.fetch(
    new Request('http://localhost/api/admin/invite-link/tokens/live-invite', {
      method: 'PUT',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: JSON.stringify({ expiresAt }),
    }),
  )
  return { status: response.status, body: await response.json() }
}

it('an instant is returned in UTC with milliseconds, for any sent offset', async () => {
  const mock = createMock(FIXED)
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  await fc.assert(
    fc.asyncProperty(instant, offset, async (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000)
      fc.pre(local.getUTCFullYear() >= 0 && local.getUTCFullYear() <= 9999)
      const sign = minutes < 0 ? '-' : '+'
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const zone = `${sign}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
      const { status, body } = await update(mock, local.toISOString().replace('Z', zone))
      expect([status, body.expiresAt]).toEqual([200, date.toISOString()])
    }),
    { numRuns: 200 },
  )
})

it('a token is enabled before its expiry and disabled from then on', async () => {
  const mock = createMock(FIXED)
  await fc.assert(
    fc.asyncProperty(instant, instant, async (now, expiresAt) => {
      mock.clock.set(now)
      const { body } = await update(mock, expiresAt.toISOString())
      expect(body.enabled).toBe(now < expiresAt)
    }),
    { numRuns: 200 },
  )
})

it('a string that is not a date-time is rejected', async () => {
  const mock = createMock(FIXED)
  const isDateTime = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
  const given = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    instant.map((date) => date.toString()),
    instant.map((date) => date.toISOString().slice(0, -1)),
    instant.map((date) => date.getTime()),
  )
  await fc.assert(
    fc.asyncProperty(
      given.filter((value) => !isDateTime(value)),
      async (value) => {
        expect((await update(mock, value)).status).toBe(400)
      },
    ),
    { numRuns: 200 },
  )
})

it('a feature can be cloned at any time that a clock can have', async () => {
  const mock = createMock(FIXED)
  const earliest = new Date('0000-01-01T00:00:00.000Z')
  const latest = new Date('9999-12-31T23:59:59.999Z')
  const reachable = fc.oneof(
    fc.date({ noInvalidDate: true, min: earliest, max: latest }),
    fc.constantFrom(new Date(0), new Date(-1), earliest, latest),
  )
  let number = 0
  await fc.assert(
    fc.asyncProperty(reachable, async (now) => {
      mock.clock.set(now)
      const response = await mock.fetch(
        new Request('http://localhost/api/admin/projects/default/features/checkout-redesign/clone', {
          method: 'POST',
          headers: { authorization: ADMIN, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `copy-${number++}` }),
        }),
      )
      const { createdAt, environments } = await response.json()
      expect([response.status, createdAt]).toEqual([200, now.toISOString()])
      const ids: string[] = environments.flatMap(({ strategies }: { strategies: { id: string }[] }) =>
        strategies.map(({ id }) => id),
      )
      expect(new Set(ids.filter((id) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).size).toBe(3)
    }),
    { numRuns: 100 },
  )
})
