import { runInThisContext } from 'node:vm'

/** Globals that jsdom lacks, or implements in a way that `fetch` rejects. */
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

/** Copies these objects from Node into the separate context of a Jest test. */
function takeFromNode(names: readonly string[]): void {
  const outer = runInThisContext('globalThis') as Record<string, unknown>
  for (const name of names) {
    Object.defineProperty(globalThis, name, { value: outer[name], configurable: true, writable: true })
  }
}

if (!('fetch' in globalThis)) takeFromNode(NAMES)
// The jsdom of Jest 29 lacks randomUUID, which @msw/data calls.
if (globalThis.crypto?.randomUUID === undefined) takeFromNode(['crypto'])
