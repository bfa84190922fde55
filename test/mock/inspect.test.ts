import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { ADMIN, FIXED } from '../support/adapters.js'

/** The output of `console.log`. */
const printed = (value: unknown) => inspect(value)

const LINES = 45

async function usedMock(requests = 1) {
  const mock = createMock(FIXED)
  for (let i = 0; i < requests; i++) {
    const body = JSON.stringify({ name: `flag-${i}`, description: 'x'.repeat(3000) })
    const headers = { authorization: ADMIN, 'content-type': 'application/json' }
    const path = 'http://localhost/api/admin/projects/default/features'
    await mock.fetch(new Request(path, { method: 'POST', body, headers }))
  }
  return mock
}

describe('console.log', () => {
  it('a mock is printed with its scenario, its clock, its data and its last requests', async () => {
    const mock = await usedMock()
    const text = printed(mock)
    expect(text).toMatch(/^Mock \{/)
    for (const word of [
      "scenario: 'default'",
      '(frozen)',
      'checkout-redesign',
      'mobile-app',
      'createFeature',
      'Viewer',
    ])
      expect(text).toContain(word)
    expect(text).not.toMatch(/Function|Symbol|MockCore|live-invite/)
    expect(printed(mock.session('ada'))).toMatch(/^Session 'ada' \{/)
  })

  it('a journal entry is printed with its headers and bodies', async () => {
    const [entry] = (await usedMock()).requests.all()
    const text = printed(entry)
    for (const word of ['flag-0', "'content-type': 'application/json'", "caller: 'mock-admin'", 'status: 201'])
      expect(text).toContain(word)
    expect(text).not.toMatch(/Getter/)
  })

  it('a list of entries is printed with a line for each, and the bodies', async () => {
    const text = printed((await usedMock(2)).requests.all())
    expect(text).toMatch(/#1 POST \/api\/admin\/projects\/default\/features → 201 createFeature, by mock-admin/)
    expect(text).toMatch(/sent \{ name: 'flag-1'/)
  })

  it('all output fits on a screen', async () => {
    const mock = await usedMock(200)
    const { features, apiTokens } = await mock.data()
    const values = [mock, mock.requests.all(), mock.requests.all()[0], features, features.findFirst(), apiTokens]
    for (const value of values) expect(printed(value).split('\n').length).toBeLessThanOrEqual(LINES)
    expect(printed(mock.requests.all())).toContain('… 188 earlier')
  })

  it('found records are printed with the keys of their relations, and without secrets', async () => {
    const { features, apiTokens, users } = await createMock(FIXED).data()
    expect(printed(features.findFirst())).toMatch(/name: 'checkout-redesign'[\s\S]*project: 'default'/)
    for (const value of [apiTokens.all(), apiTokens, users.all(), users]) {
      expect(printed(value)).toContain('[redacted]')
      expect(printed(value)).not.toMatch(/\.mock-admin|user:mock|pbkdf2/)
    }
  })

  it('entries stay plain data for other code', async () => {
    const [entry] = (await usedMock()).requests.all()
    expect(Object.getOwnPropertySymbols({ ...entry })).toEqual([])
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry)
    expect(structuredClone({ ...entry })).toEqual(entry)
  })
})
