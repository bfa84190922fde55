/** The chance of one world: every id and secret that it gives out. With a seed, always the same ones in the same order. */
export interface Ids {
  /** A version 4 UUID. */
  uuid(): string
  /** A ULID: 26 characters that sort by the time given (milliseconds since 1970). */
  ulid(time: number): string
  /** So many random bytes as hexadecimal digits, two a byte. */
  hex(bytes: number): string
  /** A fraction, 0 ≤ x < 1. */
  fraction(): number
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function createIds(seed?: string | number): Ids {
  const source = seed === undefined ? cryptoSource() : seededSource(String(seed))
  return {
    uuid: seed === undefined ? () => crypto.randomUUID() : () => uuidOf(source),
    ulid: (time) => ulidOf(time, source),
    hex: (bytes) => Array.from({ length: bytes }, () => hexByte(source() & 0xff)).join(''),
    fraction: () => source() / 0x1_0000_0000,
  }
}

/** A source gives whole numbers from 0 to 2³² − 1. */
type Source = () => number

function cryptoSource(): Source {
  const pool = new Uint32Array(256)
  let next = pool.length
  return () => {
    if (next === pool.length) {
      crypto.getRandomValues(pool)
      next = 0
    }
    return pool[next++] ?? 0
  }
}

/** The sfc32 generator, its state filled from the seed's text by FNV-1a. */
function seededSource(seed: string): Source {
  let a = hash(seed, 0x811c9dc5)
  let b = hash(seed, 0x01000193)
  let c = hash(seed, 0x9e3779b9)
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let round = 0; round < 15; round++) next()
  return next
}

function hash(text: string, basis: number): number {
  let value = basis
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function uuidOf(source: Source): string {
  const hex = Array.from({ length: 16 }, (_, i) => {
    const byte = source() & 0xff
    if (i === 6) return hexByte((byte & 0x0f) | 0x40)
    if (i === 8) return hexByte((byte & 0x3f) | 0x80)
    return hexByte(byte)
  }).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function ulidOf(time: number, source: Source): string {
  let left = Math.max(0, Math.floor(time))
  let timePart = ''
  for (let i = 0; i < 10; i++) {
    timePart = CROCKFORD[left % 32] + timePart
    left = Math.floor(left / 32)
  }
  let randomPart = ''
  for (let i = 0; i < 16; i++) randomPart += CROCKFORD[source() & 31]
  return timePart + randomPart
}
