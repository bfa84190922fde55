import { expect, it } from 'vitest'
import { createHandlers } from '../../src/adapters/msw.js'
import { createMock, type MockError } from '../../src/index.js'
import { FIXED, NOW } from '../support/adapters.js'

function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return (error as MockError).code
  }
}

it.each(['/api/admin/projects', 'http://localhost/health', new URL('http://localhost/health'), undefined])(
  'fetch rejects %s and says that it takes a Request',
  async (given) => {
    const answer = createMock().fetch(given as never)
    await expect(answer).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      hint: expect.stringContaining('new Request('),
    })
  },
)

it.each(['1d', {}, { day: 1 }, { days: '1' }, Number.NaN, undefined, null])(
  'a clock rejects the duration %j',
  (given) => {
    const { clock } = createMock(FIXED)
    expect(codeOf(() => clock.advance(given as never))).toBe('INVALID_CLOCK')
    expect(clock.now().toISOString()).toBe(NOW)
  },
)

it.each(['x', '+010000-01-01T00:00:00Z', Number.NaN, new Date(8.64e15)])(
  'createMock rejects the start time %s',
  (now) => {
    expect(codeOf(() => createMock({ now }))).toBe('INVALID_OPTION')
  },
)

it('createHandlers rejects a base URL that is not one', () => {
  expect(codeOf(() => createHandlers(createMock(), { baseUrl: 'flags.example.com/proxy' }))).toBe('INVALID_OPTION')
})
