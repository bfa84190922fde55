import fc from 'fast-check'

const odd = ['__proto__', 'constructor', 'a,b', '100%', '%2C', ' blank ', '\r\n', 'a:b', '赤', '😀']

/** Names up to a length, often with characters that have a meaning in an address, a header or a JavaScript object. */
export function anyName(maxLength: number, ...others: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...odd, ...others), fc.string({ unit: 'grapheme', minLength: 1, maxLength }))
}
