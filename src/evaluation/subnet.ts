const ADDRESS = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/

/** Whether an IPv4 address is in a range such as `10.0.0.0/8`; false if either is invalid. */
export function isInSubnet(address: string, range: string): boolean {
  const [host, subnet] = [parse(address), parse(range)]
  if (host === undefined || subnet === undefined) return false
  return host.number >>> (32 - subnet.bits) === subnet.number >>> (32 - subnet.bits) || subnet.bits === 0
}

function parse(text: string): { number: number; bits: number } | undefined {
  const [, a, b, c, d, bits = '32'] = ADDRESS.exec(text) ?? []
  const bytes = [a, b, c, d].map(Number)
  if (!bytes.every((byte) => byte <= 255) || Number(bits) > 32) return undefined
  return { number: bytes.reduce((number, byte) => number * 256 + byte, 0), bits: Number(bits) }
}
