import { RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { MockError } from '../../../engine/errors/mock-errors.js'

/** The part of msw's interceptors that reveals other listeners. msw has no public API for it. */
interface Interceptor {
  readyState?: unknown
  emitter?: { listenerCount?(event: 'request'): number }
}

/** Whether another server also listens, in msw 2. Each request counts as a listener while it waits for a response. */
export function hasOtherListeners(): boolean {
  const running = interceptors('fetch')
  return running.length > 1 || running.some((one) => (one?.emitter?.listenerCount?.('request') ?? 0) > 1)
}

/** Whether a server of msw 2.13 or later listens. Of several such servers, msw uses only the last. */
export function isAskedAlone(): boolean {
  const msw3: Map<symbol, Interceptor> | undefined = Reflect.get(globalThis, '__MSW_INTERCEPTORS_REGISTRY')
  const isActive = [...(msw3?.values() ?? [])].some(({ readyState }) => readyState === 'ACTIVE')
  return isActive || interceptors('interceptor-source').length > 0
}

/** Explains how to share a server, because msw silently ignores one of the two. */
export function reportOther(): void {
  // biome-ignore lint/suspicious/noConsole: no other place shows it to the user
  console.warn(
    '[flagdouble] Another msw server is listening, and msw uses only the server that started last. Pass your own server to `useMock({ server })`.',
  )
}

function interceptors(name: string): (Interceptor | undefined)[] {
  const symbols = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description?.startsWith(name))
  return symbols.map((symbol) => Reflect.get(globalThis, symbol) as Interceptor | undefined)
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
