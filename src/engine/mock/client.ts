import { outcomeOf } from '../../service/contract/errors.js'
import { anonymous } from '../../service/resources/people/callers.js'
import { frontendEvaluation, presentOn } from '../../service/resources/sdk/frontend.js'
import { toldTables } from '../../service/resources/sdk/told-features.js'
import { isObject } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { invalidArgument } from '../errors/arguments.js'
import { MockError } from '../errors/mock-errors.js'
import { includesOperation } from '../scenarios/force-rule.js'
import { statesOnTop } from '../scenarios/selection.js'
import type { Session } from '../sessions/session.js'

/** The context of a user, as `unleash-proxy-client` has it. */
export interface FlagContext {
  appName?: string
  environment?: string
  userId?: string
  sessionId?: string
  remoteAddress?: string
  currentTime?: string
  properties?: { [name: string]: string }
}

/** The variant of a flag for a user. Its name is `disabled` if the user gets none. */
export interface FlagVariant {
  name: string
  enabled: boolean
  feature_enabled?: boolean
  payload?: { type: string; value: string }
}

/** A flag that is on for a user. */
export interface EnabledFlag {
  name: string
  enabled: boolean
  variant: FlagVariant
  impressionData: boolean
}

/** A listener of a client: of `ready`, `update` or `initialized`. The client never emits `error`. */
export type ClientListener = (...args: never[]) => unknown

/** The public members of the class `UnleashClient` of `unleash-proxy-client`. */
export interface FlagClient {
  isEnabled(name: string): boolean
  getVariant(name: string): FlagVariant
  /** The flags that are on. */
  getAllToggles(): EnabledFlag[]
  getContext(): FlagContext & { appName: string }
  /** Replaces all fields except for `appName`, `environment` and the session ID. */
  updateContext(context: FlagContext): Promise<void>
  setContextField(field: string, value: string): Promise<void>
  removeContextField(field: string): Promise<void>
  updateToggles(): Promise<void>
  /** From now on, it emits `update` at each change. The first start also emits `ready`. */
  start(): Promise<void>
  stop(): void
  isReady(): boolean
  getError(): unknown
  sendMetrics(): Promise<void>
  on(event: string, listener: ClientListener, self?: unknown): this
  once(event: string, listener: ClientListener, self?: unknown): this
  off(event: string, listener?: ClientListener): this
  emit(event: string, ...args: unknown[]): this
  /** Its functions do nothing. */
  impactMetrics: {
    defineCounter(name: string, help: string): void
    defineHistogram(name: string, help: string, buckets?: number[]): void
    incrementCounter(name: string, value?: number): void
    observeHistogram(name: string, value: number): void
  }
}

/** The member by which `mock.client` recognizes the SDK's class, or a part of it, as the type of a variable or a parameter. */
export type FlagReader = Pick<FlagClient, 'isEnabled'>

/** The fields of a context that aren't properties. */
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'currentTime'] as const
const STATIC_FIELDS = ['appName', 'environment'] as const

/** The environment whose flags a client reads by default, as the mock's frontend token does. */
const DEFAULT_ENVIRONMENT = 'development'

/** Creates a client. Throws `INVALID_OPTION` for an unknown field, and `INVALID_ARGUMENT` for an unknown environment. */
export function createClient(session: () => Session, context: FlagContext): FlagClient {
  expectContext(context)
  const { environment = DEFAULT_ENVIRONMENT } = context
  const known = session().world().ready().data.tables.environments.list()
  if (!known.some(({ name }) => name === environment)) {
    throw new MockError(
      'INVALID_ARGUMENT',
      `mock.client reads the flags of the environment "${environment}", which doesn't exist.`,
      `Pass one of these as environment: ${known.map(({ name }) => name).join(', ')}.`,
    )
  }
  const client = new MockClient(session, { ...context }, environment)
  const { clients } = session()
  if (clients.size < CLIENTS_KEPT) clients.add(() => client.facts())
  return client
}

const CONTEXT = "a context, such as { userId: '7' }"

function expectContext(given: unknown): void {
  if (!isObject(given)) throw invalidArgument('mock.client', CONTEXT, given)
  const known: readonly string[] = [...STATIC_FIELDS, ...FIELDS, 'properties']
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new MockError(
    'INVALID_OPTION',
    `mock.client takes a context, which has no field "${unknown}".${didYouMean(unknown, known)}`,
    `The fields are ${known.join(', ')}; all others belong in properties. mock.enable switches flags on.`,
  )
}

/** The maximum clients whose facts a session keeps. */
const CLIENTS_KEPT = 20

/** The events of a client, and those that only the SDK emits. */
const EVENTS = ['ready', 'update', 'initialized']
const OF_OUTAGES = ['error', 'recovered']
const OF_SDK = [...OF_OUTAGES, 'impression', 'sent']

/** A listener, and its `this`. */
interface Subscription {
  listener: ClientListener
  self: unknown
  isOnce: boolean
}

class MockClient implements FlagClient {
  readonly impactMetrics: FlagClient['impactMetrics'] = {
    defineCounter: () => undefined,
    defineHistogram: () => undefined,
    incrementCounter: () => undefined,
    observeHistogram: () => undefined,
  }
  readonly #session: () => Session
  readonly #environment: string
  readonly #subscriptions = new Map<string, readonly Subscription[]>()
  /** One number for all random choices, so that they stay the same. */
  readonly #fraction: number
  #context: FlagContext & { appName: string }
  #wasStarted = false
  #wasAsked = false
  /** Whether a listener came after the end of the updates. */
  #hasLateListener = false
  /** Stops the updates. Undefined unless the client is started. */
  #stop: (() => void) | undefined

  constructor(session: () => Session, context: FlagContext, environment: string) {
    const { ids } = session().world()
    this.#session = session
    this.#environment = environment
    this.#context = { appName: 'flagdouble', environment: 'default', sessionId: ids.hex(18), ...context }
    this.#fraction = ids.fraction()
    this.#bindMethods()
  }

  /** Vue wraps objects in proxies, and code takes methods out of objects: neither has the private members. */
  #bindMethods(): void {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(MockClient.prototype))) {
      if (name === 'constructor') continue
      Object.defineProperty(this, name, { value: value.bind(this), writable: true, configurable: true })
    }
  }

  isEnabled(name: string): boolean {
    return this.#read(name) !== undefined
  }

  getVariant(name: string): FlagVariant {
    return this.#read(name, true)?.variant ?? { name: 'disabled', enabled: false, feature_enabled: false }
  }

  getAllToggles(): EnabledFlag[] {
    return this.#evaluate().flatMap(({ flag }) => flag ?? [])
  }

  getContext(): FlagContext & { appName: string } {
    return { ...this.#context }
  }

  async updateContext(context: FlagContext): Promise<void> {
    if (!isObject(context)) throw invalidArgument('updateContext', CONTEXT, context)
    const { appName, environment = 'default', sessionId } = this.#context
    this.#context = { ...(sessionId !== undefined && { sessionId }), ...context, appName, environment }
    this.#update()
  }

  async setContextField(field: string, value: string): Promise<void> {
    const isField = FIELDS.some((one) => one === field)
    const changed = isField ? { [field]: value } : { properties: { ...this.#context.properties, [field]: value } }
    this.#context = { ...this.#context, ...changed }
    this.#update()
  }

  async removeContextField(field: string): Promise<void> {
    const without = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field))
    const { appName, properties = {} } = this.#context
    const isField = FIELDS.some((one) => one === field)
    this.#context = isField
      ? { ...without(this.#context), appName }
      : { ...this.#context, properties: without(properties) }
    this.#update()
  }

  async updateToggles(): Promise<void> {
    this.#update()
  }

  async start(): Promise<void> {
    if (this.#stop !== undefined) return
    this.#stop = this.#session().onChange(() => this.emit('update'))
    // As with the SDK, code can subscribe right after this call.
    await this.#session().world().loading
    if (this.#wasStarted || this.#stop === undefined) return
    this.#wasStarted = true
    this.emit('initialized').emit('update').emit('ready')
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  isReady(): boolean {
    return true
  }

  getError(): undefined {
    return undefined
  }

  async sendMetrics(): Promise<void> {}

  on(event: string, listener: ClientListener, self?: unknown): this {
    return this.#subscribe(event, { listener, self, isOnce: false })
  }

  once(event: string, listener: ClientListener, self?: unknown): this {
    return this.#subscribe(event, { listener, self, isOnce: true })
  }

  off(event: string, listener?: ClientListener): this {
    const others = (this.#subscriptions.get(event) ?? []).filter((one) => listener && one.listener !== listener)
    this.#subscriptions.set(event, others)
    return this
  }

  emit(event: string, ...args: unknown[]): this {
    const all = this.#subscriptions.get(event) ?? []
    const later = all.filter(({ isOnce }) => !isOnce)
    this.#subscriptions.set(event, later)
    for (const { listener, self } of all) Reflect.apply(listener, self, args)
    return this
  }

  /** Facts that can make a test fail. */
  facts(): string[] {
    const events = [...this.#subscriptions].flatMap(([event, all]) => (all.length === 0 ? [] : [event]))
    const { rules } = this.#session().world()
    const hasRules = rules.all().some(({ rule }) => includesOperation(rule.operation, 'getFrontendFeatures'))
    const isIdle = !this.#wasStarted && events.some((event) => EVENTS.includes(event))
    return [
      ...(this.#wasAsked || this.#wasStarted
        ? []
        : ['A client of mock.client was neither started nor asked for a flag.']),
      ...(isIdle || this.#hasLateListener ? ['mock.client emits events only after start() and before stop().'] : []),
      ...(hasRules ? ['Rules have no effect on mock.client. The SDK itself sends requests.'] : []),
      ...events.flatMap((event) => {
        // React's provider listens for errors.
        if (OF_OUTAGES.includes(event) && !hasRules) return []
        if (OF_SDK.includes(event)) return [`mock.client never emits "${event}". The SDK itself does.`]
        const hint = EVENTS.includes(event) ? '' : didYouMean(event, EVENTS)
        return hint === '' ? [] : [`mock.client never emits "${event}".${hint}`]
      }),
    ]
  }

  #subscribe(event: string, subscription: Subscription): this {
    this.#hasLateListener ||= this.#wasStarted && this.#stop === undefined
    this.#subscriptions.set(event, [...(this.#subscriptions.get(event) ?? []), subscription])
    return this
  }

  #update(): void {
    if (this.#stop !== undefined) this.emit('update')
  }

  /** The flag that code asks for; undefined if it is off. The flag coverage counts it. */
  #read(name: string, asksVariant = false): EnabledFlag | undefined {
    const session = this.#session()
    const { data } = session.world()
    const [{ flag } = { flag: undefined }] = this.#evaluate(name)
    const stored = data.tables.features.get(name)
    const isOn = flag !== undefined
    const variant = flag?.variant.enabled === true ? flag.variant.name : undefined
    const context = this.#context
    const fields = Object.keys({ ...context, ...context.properties })
    const environment = this.#environment
    if (stored?.archived === false) session.coverage.served('frontend', name, isOn, variant)
    const asked = { name, isOn, variant, asksVariant, fields, context, environment }
    session.coverage.observed({ kind: 'frontend', id: 'mock.client', isEarly: false, ...asked })
    return flag
  }

  /** The flags now, or the flag of a name: undefined for those that are off. */
  #evaluate(only?: string): { flag: EnabledFlag | undefined }[] {
    this.#wasAsked = true
    const session = this.#session()
    const { data, clock, composition } = session.world().ready()
    const sdk = { environment: this.#environment, projects: ['*'], isFrontend: true }
    const asking = { caller: { ...anonymous, sdk }, now: clock.now() }
    const states = statesOnTop(composition.flags, session.selection.states)
    const told = states.size === 0 ? data.tables : toldTables(data.tables, states, asking)
    const { data: found, failure } = outcomeOf(() => {
      const { features, evaluate } = frontendEvaluation({ ...asking, told }, { ...this.#context }, () => this.#fraction)
      return features.flatMap((feature) => {
        if (only !== undefined && feature.name !== only) return []
        const { enabled, variant } = evaluate(feature)
        return [{ flag: enabled ? presentOn(feature, variant) : undefined }]
      })
    })
    if (failure === undefined) return found
    throw new MockError('INVALID_ARGUMENT', failure.message, 'Simplify the constraints of the flags, or the context.')
  }
}
