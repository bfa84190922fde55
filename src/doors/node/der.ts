/** The encoding of certificates: DER, as in X.690. Each function returns one encoded value. */
export const sequence = (...parts: Buffer[]) => encode(0x30, ...parts)
export const set = (...parts: Buffer[]) => encode(0x31, ...parts)
export const bytes = (content: Buffer) => encode(0x04, content)
export const text = (content: string) => encode(0x0c, Buffer.from(content))
export const bits = (content: Buffer, unused = 0) => encode(0x03, Buffer.of(unused), content)
export const yes = () => encode(0x01, Buffer.of(0xff))

/** A field with a number, around a value of its own. */
export const field = (number: number, value: Buffer) => encode(0xa0 + number, value)

/** A field with a number in place of its type's. */
export const implicit = (number: number, content: Buffer) => encode(0x80 + number, content)

/** A whole number. Its first bit is the sign. */
export const integer = (content: Buffer) => encode(0x02, content)

/** An identifier such as 2.5.29.17. */
export function oid(name: string): Buffer {
  const [first = 0, second = 0, ...others] = name.split('.').map(Number)
  return encode(0x06, Buffer.of(40 * first + second, ...others.flatMap(inSevenBits)))
}

/** A time in milliseconds since 1970. Certificates have two digits for years before 2050, and four for later ones. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return digits < '2050' ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits))
}

function encode(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

/** The digits of a number to the base 128; all but the last one are marked. */
function inSevenBits(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift(0x80 | (rest & 0x7f))
  return digits
}
