import { runInThisContext } from 'node:vm'

/** What jsdom lacks, or has in a way that `fetch` rejects. */
const NAMES = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'BroadcastChannel',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TextEncoderStream',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'fetch',
  'structuredClone',
]

// Jest runs a test in a context of its own. Where this has no fetch, it gets the one of Node, and all that belongs to it.
if (!('fetch' in globalThis)) {
  const outer = runInThisContext('globalThis') as Record<string, unknown>
  for (const name of NAMES) {
    Object.defineProperty(globalThis, name, { value: outer[name], configurable: true, writable: true })
  }
}
