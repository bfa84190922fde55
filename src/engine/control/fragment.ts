import { readAtMost } from '../../support/streams.js'

/** The most characters of a fragment: chats and browsers pass on addresses of this length. */
export const LONGEST_FRAGMENT = 16 * 1024

/** The most bytes of JSON in a fragment, so that a small address can't fill a page's memory. */
export const LARGEST_UNPACKED = 1024 * 1024

/** What a value is in the fragment of an address: JSON, compressed, as base64url. */
export async function pack(value: unknown): Promise<string> {
  const compressed = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(compressed).arrayBuffer())
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The value in a fragment. Rejects with an `Error`, for people to read, if there is none or it is too large. */
export async function unpack(fragment: string): Promise<unknown> {
  if (fragment.length > LONGEST_FRAGMENT) throw new Error(`The link is longer than ${LONGEST_FRAGMENT} characters.`)
  const broken = () => new Error('The link is broken. Was it cut off on its way?')
  const text = await decompress(fragment).catch(() => {
    throw broken()
  })
  if (text === undefined) throw new Error(`The link unpacks to more than ${LARGEST_UNPACKED} bytes.`)
  try {
    return JSON.parse(text)
  } catch {
    throw broken()
  }
}

/** Undefined if it gets too large. */
async function decompress(fragment: string): Promise<string | undefined> {
  const binary = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
  const compressed = new Blob([Uint8Array.from(binary, (char) => char.charCodeAt(0))])
  const unpacked = compressed.stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const bytes = await readAtMost(unpacked, LARGEST_UNPACKED)
  if (bytes !== undefined) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  await unpacked.cancel()
  return undefined
}
