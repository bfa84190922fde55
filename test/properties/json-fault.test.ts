import { array, assert, constantFrom, jsonValue, nat, property, string, tuple } from 'fast-check'
import { expect, it } from 'vitest'
import { findJsonFault } from '../../src/support/json-fault.js'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('finds a fault exactly where JSON.parse does: in JSON with a few characters changed', () => {
  const json = jsonValue().map((value) => JSON.stringify(value, undefined, 1))
  const changes = array(tuple(nat(), nat(2), constantFrom(...'{}[]:,"\\ 01.e-+tu\n\u0001')), { maxLength: 3 })
  assert(
    property(json, changes, (text, edits) => {
      const changed = edits.reduce((before, [place, cut, character]) => {
        const at = place % (before.length + 1)
        return before.slice(0, at) + character + before.slice(at + cut)
      }, text)
      expect(findJsonFault(changed) === undefined, changed).toBe(parses(changed))
    }),
    { numRuns: 2000 },
  )
})

it('everything before the fault can still become JSON', () => {
  const pieces = array(constantFrom('{', '}', '[', ']', ':', ',', '"a"', '1', 'true', ' '), { maxLength: 12 })
  assert(
    property(pieces, string(), (given, rest) => {
      const text = given.join('')
      const fault = findJsonFault(text)
      if (fault === undefined || fault === text.length) return
      // Whatever follows, the fault stays where it is.
      expect(findJsonFault(text.slice(0, fault + 1) + rest)).toBeLessThanOrEqual(fault + 1)
      expect(findJsonFault(text.slice(0, fault))).toBeOneOf([fault, undefined, text.slice(0, fault).trimEnd().length])
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['', 0],
  ['{', 1],
  ['{"name":"copy",}', 15],
  ["{'name':1}", 1],
  ['{"name":NaN}', 8],
  ['{"name":"x"} 2', 13],
  ['[1 2]', 3],
  ['"a\u0001"', 0],
])('%j is no JSON from position %i', (text, position) => {
  expect(findJsonFault(text)).toBe(position)
})
