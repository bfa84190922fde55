import { RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { MockError } from '../../../service/contract/mock-errors.js'

/** The part of msw's interceptors that reveals other listeners. msw has no public API for it. */
interface Interceptor {
  readyState?: unknown
  emitter?: { listenerCount?(event: 'request'): number }
}

/** Whether another server also listens, in msw 2. Each request counts as a listener while it waits for a response. */
export function hasOtherListeners(): boolean {
  const symbols = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description?.startsWith('fetch'))
  const running = symbols.map((symbol) => Reflect.get(globalThis, symbol) as Interceptor | undefined)
  return running.length > 1 || running.some((one) => (one?.emitter?.listenerCount?.('request') ?? 0) > 1)
}

/** Whether a server of msw 3 listens. A second server would replace the first, so the console explains how to share a server. */
export function isInterceptedByMsw3(): boolean {
  const registry: Map<symbol, Interceptor> | undefined = Reflect.get(globalThis, '__MSW_INTERCEPTORS_REGISTRY')
  const isActive = [...(registry?.values() ?? [])].some(({ readyState }) => readyState === 'ACTIVE')
  if (isActive) {
    // biome-ignore lint/suspicious/noConsole: the handlers of the project's own server are silently not asked
    console.warn(
      '[flagdouble] Another msw server is already listening, and msw 3 uses only the last one. Pass it to `useMock({ server })`.',
    )
  }
  return isActive
}

/** Throws if a server, or one of its handlers, comes from another copy of msw, whose handlers msw ignores. */
export function expectSameCopy(server: SetupServer, listed: readonly object[]): void {
  const own = Object.getPrototypeOf(setupServer())
  const isOther = Object.getPrototypeOf(server) !== own
  if (!isOther && listed.every((handler) => !('run' in handler) || handler instanceof RequestHandler)) return
  throw new MockError(
    'INVALID_ARGUMENT',
    'The server of useMock and flagdouble use different copies of msw.',
    '`npm ls msw` shows which packages depend on them. Install one version.',
  )
}
