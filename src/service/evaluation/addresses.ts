/** An IP address as a number, with the length of its prefix in bits: all of them without a `/`. */
interface Address {
  /** The bits of its version of IP. */
  size: 32 | 128
  number: bigint
  prefix: number
}

/** Whether an IPv4 address is in a range such as `10.0.0.0/8`; false if either is invalid. */
export function isInSubnet(address: string, range: string): boolean {
  const [host, subnet] = [parseV4(address), parseV4(range)]
  return host !== undefined && subnet !== undefined && startsLike(host, subnet)
}

/** Whether an IPv4 or IPv6 address is equal to one in a list, or in one of its ranges. Invalid texts match nothing. */
export function isInRanges(address: string, ranges: Iterable<string>): boolean {
  const host = parse(address)
  if (host === undefined) return false
  for (const text of ranges) {
    const range = parse(text)
    if (range?.size !== host.size) continue
    if (range.number === host.number || (host.prefix >= range.prefix && startsLike(host, range))) return true
  }
  return false
}

function startsLike(host: Address, { size, number, prefix }: Address): boolean {
  const rest = BigInt(size - prefix)
  return host.number >> rest === number >> rest
}

function parse(text: string): Address | undefined {
  return parseV4(text) ?? parseV6(text)
}

const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/

function parseV4(text: string): Address | undefined {
  const [, a, b, c, d, prefix = '32'] = V4.exec(text) ?? []
  const bytes = [a, b, c, d].map(Number)
  if (!bytes.every((byte) => byte <= 255) || Number(prefix) > 32) return undefined
  return { size: 32, number: numberOf(bytes, 8n), prefix: Number(prefix) }
}

const GROUP = /^[\da-f]{1,4}$/i
const GROUPS = 8

/** Reads `2001:db8::1`, `::ffff:10.0.0.1` and ranges such as `2001:db8::/32`. */
function parseV6(text: string): Address | undefined {
  const [, address = '', prefix = '128'] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const [start = '', end, ...more] = address.split('::')
  const [before, after] = [groupsOf(start), groupsOf(end ?? '')]
  const left = GROUPS - before.length - after.length
  const fits = end === undefined ? left === 0 : left > 0
  if (!fits || more.length > 0 || Number(prefix) > 128) return undefined
  const groups = [...before, ...Array<string>(left).fill('0'), ...after]
  if (!groups.every((group) => GROUP.test(group))) return undefined
  return {
    size: 128,
    number: numberOf(
      groups.map((group) => Number.parseInt(group, 16)),
      16n,
    ),
    prefix: Number(prefix),
  }
}

/** The groups in a part of an address, where an IPv4 address at the end is two groups. */
function groupsOf(part: string): string[] {
  const groups = part === '' ? [] : part.split(':')
  const v4 = parseV4(groups.at(-1) ?? '')
  if (v4 === undefined || part.includes('/')) return groups
  return [...groups.slice(0, -1), (v4.number >> 16n).toString(16), (v4.number & 0xffffn).toString(16)]
}

function numberOf(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((number, part) => (number << bits) + BigInt(part), 0n)
}
