import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { compileExpression, expressionSize, LARGEST_EXPRESSION } from '../../src/support/linear-expression.js'

function compiled(source: string, options?: Parameters<typeof compileExpression>[1]) {
  const expression = compileExpression(source, options)
  if (expression === undefined) throw new Error(`${source} can't be compiled.`)
  return expression
}

it('any alternative can match a whole text, not only the first that fits', () => {
  expect(compiled('a|ab').testWhole('ab')).toBe(true)
  expect(compiled('a|ab').testWhole('abc')).toBe(false)
  expect(compiled('^[a-z]+$').testWhole('copy')).toBe(true)
})

it('a pattern in JavaScript’s notation is accepted', () => {
  expect(compiled('\\u0061(?<rest>\\/b)?', { syntax: 'javascript' }).testWhole('a/b')).toBe(true)
})

it('an expression never matches a string for which it needs more than a million steps', () => {
  const expression = compiled('x{1000}')
  expect(expression.test(`${'a'.repeat(100)}${'x'.repeat(800)}`)).toBe(false)
  expect(expression.test('x'.repeat(1000))).toBe(false)
  expect(compiled('x{900}').test('x'.repeat(900))).toBe(true)
})

it('an expression is dropped after ten million steps, before the engine’s cache fills the memory', () => {
  const kept = compiled('a')
  expect(compiled('a')).toBe(kept)
  for (let test = 0; test < 20; test++) kept.test('x'.repeat(200_000))
  expect(compiled('a')).not.toBe(kept)
  expect(kept.test('a')).toBe(true)
})

it('no expression compiles to more than a few times its size', () => {
  const piece = fc.constantFrom(
    'a',
    '.',
    '(',
    '(?:',
    ')',
    '|',
    '*',
    '+?',
    '[a-z]',
    '[[:alpha:](]',
    '[)]',
    '{3}',
    '{2,9}',
    '{7,}',
  )
  const others = fc.constantFrom('\\d', '\\pL', '\\Q(\\E', '\\(', '[^]]', '(?i)', '^', '$', '\\b', '[\\]{]', '{', '}')
  const source = fc.array(fc.oneof(piece, others), { maxLength: 25 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(source, (text) => {
      const size = expressionSize(text)
      if (size > LARGEST_EXPRESSION) return
      try {
        expect(RE2JS.compile(text).programSize()).toBeLessThanOrEqual(4 * size + 10)
      } catch (error) {
        if (!String(error).includes('error parsing regexp')) throw error
      }
    }),
    { numRuns: 3000 },
  )
})
