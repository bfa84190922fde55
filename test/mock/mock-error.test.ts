import { expect, it } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.js'
import { errorOf } from '../support/errors.js'

it.each<[string, unknown, RegExp, RegExp]>([
  ['an unknown scenario', { scenario: 'expird-token' }, /"expird-token".*"expired-token"/, /default, empty/],
  ['a misspelt option', { scenaro: 'empty' }, /"scenaro" is unknown/, /scenario, scenarios, fixtures/],
  [
    'generated data that is not there yet',
    { scenario: 'large-project', seed: 'not there' },
    /still generating/,
    /Await `mock\.ready`/,
  ],
])('the message of an error gives the problem, then the fix: %s', (_, options, fault, hint) => {
  const error = errorOf(() => createMock(options as MockOptions).features.list())
  expect(error.problem).toMatch(fault)
  expect(error.hint).toMatch(hint)
  expect(error.message).toBe(`${error.problem}\nhint: ${error.hint}`)
})

it('searching the journal for an unknown operation is an error, so that no test passes because nothing is found', () => {
  const error = errorOf(() => createMock().requests.count({ operation: 'clonFeature' as never }))
  expect(error.problem).toBe('There is no operation "clonFeature". Did you mean "cloneFeature"?')
})
