import { expect, it } from 'vitest'
import type { Observed } from '../../lab/pair.js'
import { changesBetween } from '../../lab/releases.js'
import { counted } from '../../lab/report.js'

const response = { status: 200, headers: {}, cookies: [] }

function observed(operation: string | undefined, isEqual: boolean): Observed {
  const request = { method: 'GET', path: '/', actor: 'admin' }
  const difference = { place: 'status', kind: 'status', expected: 200, actual: '404' } as const
  return {
    request,
    response,
    actual: response,
    operation,
    differences: isEqual ? [] : [{ difference, row: undefined }],
  }
}

it('a campaign adds its counts to earlier ones, in alphabetical order', () => {
  const before = { getTags: { compared: 4, equal: 3 } }
  const campaign = [observed('getTags', true), observed('getTags', false), observed('getMe', true)]
  const counts = counted(before, [...campaign, observed(undefined, false)])
  expect(Object.entries(counts)).toEqual([
    ['getMe', { compared: 1, equal: 1 }],
    ['getTags', { compared: 6, equal: 4 }],
  ])
})

it('the names of two releases are compared, each with its shape', () => {
  const names = (...events: string[]) => new Map(events.map((event) => [event, '']))
  const before = {
    operations: new Map([['GET /a (getA)', '{}']]),
    fields: new Map([
      ['aSchema.id', '{"type":"number"}'],
      ['aSchema.name', '{"type":"string"}'],
    ]),
    events: names('a-created', 'a-deleted'),
    permissions: names('ADMIN'),
  }
  const after = {
    ...before,
    fields: new Map([['aSchema.id', '{"type":"string"}']]),
    events: names('a-created', 'a-updated'),
  }
  expect(changesBetween(before, after)).toEqual([
    'operations: 0 came, 0 went, 0 changed',
    'fields: 0 came, 1 went, 1 changed',
    '  ~ aSchema.id',
    '  - aSchema.name',
    'events: 1 came, 1 went, 0 changed',
    '  - a-deleted',
    '  + a-updated',
    'permissions: 0 came, 0 went, 0 changed',
  ])
})
