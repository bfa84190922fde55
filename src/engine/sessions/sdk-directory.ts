import type { SdkKind } from '../../service/resources/shared/context.js'

/** An evaluation that was observed in an SDK. */
export interface ObservedFlag {
  kind: SdkKind
  /** The ID of the connection. Empty for an SDK without one. */
  id: string
  name: string
  isOn: boolean
  variant?: string | undefined
  /** Whether the SDK had no features yet. */
  isEarly: boolean
  /** The fields of the context with values. A frontend sends its context with its requests. */
  fields?: readonly string[] | undefined
  /** The context itself, and for a client of the mock its environment. */
  context?: object | undefined
  environment?: string | undefined
  /** Whether code asked for the variant. */
  asksVariant: boolean
}

/** The flag coverage of a mock, as observed SDKs need it. */
export interface ObservingCoverage {
  /** Whether its test has ended, so that the SDKs that it served belong to another one. */
  readonly isClosed: boolean
  forSession(session: string): { observed(evaluation: ObservedFlag): void }
}

/** The place for the evaluations of an SDK: a session of a mock. */
export interface CoveredSession {
  coverage: ObservingCoverage
  session: string
}

/** The maximum connections whose session is known. */
const CONNECTIONS_KEPT = 500

/** Which session served an SDK last, by the ID of its connection. A mock that nobody uses any more isn't held. */
export class SdkDirectory {
  /** The session for SDKs that none of the known mocks has served, such as that of the running test. */
  current: () => CoveredSession | undefined = () => undefined
  readonly #served = new Map<string, { coverage: WeakRef<ObservingCoverage>; session: string }>()
  readonly #observed = new Set<string>()

  /** An SDK gets features from a session. */
  serve(id: string, coverage: ObservingCoverage, session: string): void {
    if (id === '' || typeof WeakRef === 'undefined') return
    this.#served.delete(id)
    this.#served.set(id, { coverage: new WeakRef(coverage), session })
    dropOldest(this.#served)
  }

  /** Whether an SDK's evaluations are observed. */
  isObserved(id: string): boolean {
    return this.#observed.has(id)
  }

  /** An SDK's evaluations are observed from now on. */
  observe(id: string): void {
    if (id === '') return
    this.#observed.add(id)
    dropOldest(this.#observed)
  }

  /** The session that served an SDK last or, if its test has ended, the current one. */
  find(id: string): CoveredSession | undefined {
    const served = this.#served.get(id)
    const coverage = served?.coverage.deref()
    if (served === undefined || coverage === undefined || coverage.isClosed) return this.current()
    return { coverage, session: served.session }
  }
}

function dropOldest(connections: Map<string, unknown> | Set<string>): void {
  const [oldest = ''] = connections.size > CONNECTIONS_KEPT ? connections.keys() : []
  connections.delete(oldest)
}

const KEY = Symbol.for('flagdouble: SDKs')

/** The directory of this process or page, which all copies of the package share. */
export function sdkDirectory(): SdkDirectory {
  const known: SdkDirectory | undefined = Reflect.get(globalThis, KEY)
  if (known !== undefined) return known
  const directory = new SdkDirectory()
  Object.defineProperty(globalThis, KEY, { value: directory })
  return directory
}
