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
  const text = await decompress(fragment).catch(() => {
    throw new Error('The link is broken. Was it cut off on its way?')
  })
  if (text === undefined) throw new Error(`The link unpacks to more than ${LARGEST_UNPACKED} bytes.`)
  return JSON.parse(text)
}

/** Undefined if it gets too large. It stops reading there. */
async function decompress(fragment: string): Promise<string | undefined> {
  const binary = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
  const compressed = new Blob([Uint8Array.from(binary, (char) => char.charCodeAt(0))])
  const reader = compressed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > LARGEST_UNPACKED) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(next.value, { stream: true })
  }
  return text + decoder.decode()
}
