import { describe, expect, it } from 'vitest'
import { createMock, defineScenario } from '../../src/index.js'

const NONE = ['2030-02-30', '2027-13-01', '2023-02-29T12:00:00Z', '2030-01-01T24:61:00Z', '2030-1-1', 'tomorrow']

describe('The clock', () => {
  it('a clock that is set stops, and continues with frozen: false', async () => {
    const mock = createMock()
    mock.clock.set('2030-01-01')
    expect([mock.clock.frozen, mock.clock.now().toISOString()]).toEqual([true, '2030-01-01T00:00:00.000Z'])
    mock.clock.set(new Date('2031-01-01T00:00:00Z'), { frozen: false })
    const first = mock.clock.now().getTime()
    expect([mock.clock.frozen, mock.clock.now().getUTCFullYear()]).toEqual([false, 2031])
    while (mock.clock.now().getTime() === first) await new Promise((resolve) => setImmediate(resolve))
    mock.clock.release()
    expect(mock.clock.now().getUTCFullYear()).toBeLessThan(2030)
  })

  it('a running clock stops at the end of the year 9999', () => {
    const mock = createMock()
    mock.clock.set('9999-12-31T23:59:59.999Z', { frozen: false })
    expect(mock.clock.now().toISOString()).toBe('9999-12-31T23:59:59.999Z')
  })

  it.each(NONE)('a nonexistent date is rejected everywhere: %s', (date) => {
    const mock = createMock()
    expect(() => mock.clock.set(date)).toThrow('is not a date')
    expect(() => createMock({ now: date })).toThrow('now: must be a date')
    expect(() => mock.add({ signupTokens: [{ secret: 'x', expiresAt: date }] })).toThrow('expiresAt')
    expect(() => defineScenario({ name: 'x', title: 'X', promise: 'X.', now: date })).toThrow('$.now')
    expect(() => mock.requests.find({ since: date })).toThrow('since')
  })

  it('an unknown option or unit is named', () => {
    const mock = createMock()
    expect(() => mock.clock.set('2030-01-01', { froze: false } as object)).toThrow('frozen: true or false')
    expect(() => mock.clock.advance({ day: 1 } as object)).toThrow('There is no unit "day"; use days, hours')
  })
})
