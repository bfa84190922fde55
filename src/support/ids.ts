import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import { TIME_MAX, ulid } from 'ulid'
import { v4 } from 'uuid'
import { murmur3 } from './hash.js'
import { inOnePiece } from './text.js'

/** The source of a world's IDs and secrets. The same seed gives the same values in the same order. */
export interface Ids {
  uuid(): string
  /** A ULID: 26 characters that sort by the given time (milliseconds since 1970). */
  ulid(time: number): string
  /** A number of random bytes as hexadecimal digits, two per byte. */
  hex(bytes: number): string
  /** A fraction, 0 ≤ x < 1. */
  fraction(): number
  /** The current position in a seed's sequence. Undefined without a seed. */
  position(): readonly number[] | undefined
}

/** With a position, the IDs continue the seed's sequence there. */
export function createIds(seed?: string | number, position?: readonly number[]): Ids {
  const generator = seed === undefined ? undefined : generatorOf(String(seed), position)
  const source = generator === undefined ? randomNumber : () => generator.next() >>> 0
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => source() & 0xff)
  // Secrets must be unguessable. Fractions and IDs must only differ, and this takes a tenth of the time.
  const fraction = generator === undefined ? Math.random : () => source() / 0x1_0000_0000
  return {
    uuid: seed === undefined ? () => v4() : () => v4({ random: bytes(16) }),
    ulid: (time) => inOnePiece(ulid(Math.min(Math.max(FIRST_TIME, time), TIME_MAX), fraction)),
    hex: (count) => bytesToHex(bytes(count)),
    fraction,
    position: () => generator?.getState(),
  }
}

/**
 * The IDs of a start. Those of a record depend only on the seed, the part of the data and the record, so they are the same
 * at each start, whatever else its files contain. They aren't secret.
 */
export class RecordIds implements Ids {
  readonly #seed: string
  #part = ''
  #record = ''
  #ofRecord: Ids | undefined

  constructor(seed: string | number | undefined) {
    this.#seed = String(seed ?? '')
  }

  /** Begins a part of the data, such as a fixture: two parts can give a record different IDs. */
  startPart(part: string): void {
    this.#part = part
    this.#ofRecord = undefined
  }

  startRecord(table: string, key: string | number): void {
    this.#record = `${table} ${key}`
    this.#ofRecord = undefined
  }

  get #ids(): Ids {
    this.#ofRecord ??= createIds('', digestOf(`${this.#seed} ${this.#part} ${this.#record}`))
    return this.#ofRecord
  }

  uuid = () => this.#ids.uuid()
  ulid = (time: number) => this.#ids.ulid(time)
  hex = (bytes: number) => this.#ids.hex(bytes)
  fraction = () => this.#ids.fraction()
  position = () => undefined
}

/** Whether a text has the form of a generated ID: a ULID or a UUID. */
export function isGenerated(text: string): boolean {
  return /^(?:01[0-9A-HJKMNP-TV-Z]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(text)
}

/** A position for a text: 128 bits, so that no two records of a large project share it. */
function digestOf(text: string): number[] {
  const { buffer } = sha256(utf8ToBytes(text))
  return [...new Int32Array(buffer, 0, 4)]
}

/** The earliest time for a ULID: the library reads 0 as the real time. */
const FIRST_TIME = 1

const pool = new Uint32Array(1024)
let next = pool.length

/** Generates many numbers at once, for all worlds: a single number costs nearly as much. */
function randomNumber(): number {
  if (next === pool.length) {
    crypto.getRandomValues(pool)
    next = 0
  }
  return pool[next++] ?? 0
}

function generatorOf(seed: string, position: readonly number[] | undefined) {
  return position === undefined ? xoroshiro128plus(murmur3(seed)) : xoroshiro128plusFromState(position)
}
