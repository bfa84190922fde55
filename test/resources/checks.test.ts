import { describe, expect, it } from 'vitest'
import {
  byName,
  cappedSum,
  checkDepth,
  distinct,
  duplicateFaults,
  nameRule,
  nameTaken,
} from '../../src/service/resources/shared/checks.js'
import { DEEPEST } from '../../src/support/json.js'

describe('a rule for names', () => {
  const rule = nameRule({ shortest: 2, longest: 5 })
  const characters = "may contain only URL-friendly characters: letters, digits, - _ . ! ~ * ' ( )"

  it.each([
    ['', 'must not be empty'],
    ['a', 'must not be shorter than 2 characters'],
    ['abcdef', 'must not be longer than 5 characters'],
    ['a b', characters],
    ['a/b', characters],
    ['é1', characters],
    ['.', characters],
    ['..', characters],
  ])('refuses %j as a check and as a schema', (name, fault) => {
    expect(rule.check(name)).toMatchObject({
      kind: 'badData',
      message: `The property "name" ${fault}; ${JSON.stringify(name)} was sent.`,
      details: [{ path: '/body/name' }],
    })
    expect(rule.schema.safeParse(name).error?.issues).toMatchObject([{ message: fault }])
  })

  it.each(['ab', 'abcde', '...', "-_.!'", '~*()1', 'A9'])('accepts %j', (name) => {
    expect(rule.check(name)).toBeUndefined()
    expect(rule.schema.safeParse(name).data).toBe(name)
  })

  it('states its limits in the schema', () => {
    expect(rule.schema.meta()).toMatchObject({ minLength: 2, maxLength: 5 })
  })
})

it('refuses what is nested too deep, and says where', () => {
  const nested = (levels: number) => {
    let value: unknown = 1
    for (let level = 0; level < levels; level++) value = [value]
    return value
  }
  expect(checkDepth('payload', nested(DEEPEST), '/body/payload')).toBeUndefined()
  expect(checkDepth('payload', nested(DEEPEST + 1), '/body/payload')).toMatchObject({
    kind: 'badData',
    message: `The payload is nested deeper than ${DEEPEST} levels.`,
    details: [{ path: '/body/payload' }],
  })
})

it('says which name is taken', () => {
  expect(nameTaken('segment', 'beta')).toEqual({
    kind: 'nameExists',
    message: 'There is already a segment named "beta".',
  })
})

it('names each repeated key with its place and that of the first', () => {
  expect(duplicateFaults('flags', ['a', 1, 'b', 'a', '1', 1, 'a'])).toEqual([
    { path: 'flags[3]', message: '"a" is given already, at [0]' },
    { path: 'flags[5]', message: '1 is given already, at [1]' },
    { path: 'flags[6]', message: '"a" is given already, at [0]' },
  ])
  expect(duplicateFaults('flags', [])).toEqual([])
})

it('adds up to the greatest number and down to the least', () => {
  expect([cappedSum(2, 3), cappedSum(2, -3)]).toEqual([5, -1])
  const most = Number.MAX_SAFE_INTEGER
  expect([cappedSum(most, 1), cappedSum(-most, -1)]).toEqual([most, -most])
  expect([cappedSum(6, 6, 10), cappedSum(-6, -6, 10)]).toEqual([10, -10])
})

it('sorts texts, each once, and leaves the list as it was', () => {
  const texts = ['b', 'a', 'b', 'B']
  expect(distinct(texts)).toEqual(['B', 'a', 'b'])
  expect(texts).toEqual(['b', 'a', 'b', 'B'])
})

it('sorts by name as people do, whatever the case', () => {
  const named = ['b', 'C', 'a'].map((name) => ({ name }))
  expect(named.sort(byName).map(({ name }) => name)).toEqual(['a', 'b', 'C'])
})
