import type { SdkKind } from '../../service/resources/shared/context.js'
import { isObject } from '../../support/json.js'
import { atCallSite, invalidArgument } from '../errors/arguments.js'
import { sdkDirectory } from '../sessions/sdk-directory.js'

/** A client of an SDK: `UnleashClient` of `unleash-proxy-client`, or `Unleash` of `unleash-client`. */
export interface ObservedClient {
  isEnabled(name: string): boolean
  getVariant(name: string): object
}

/** The class of a client. */
export interface ObservedClass {
  readonly prototype: ObservedClient
}

/** A method before or after it is observed. */
type ClientMethod = (this: object, ...given: unknown[]) => unknown

/** Marks observed methods, so that no evaluation counts twice. */
const OBSERVED = Symbol.for('flagdouble: observed')

/**
 * Tells the mock that served an SDK each evaluation at once, for the flag coverage: the flag, its state, its variant and the
 * fields of the context. Takes a client, or the class of all clients. The calls return the same as before. Returns a
 * function that ends it.
 *
 * @example
 * import { UnleashClient } from 'unleash-proxy-client'
 *
 * observeFlags(UnleashClient)
 */
export function observeFlags(target: ObservedClient | ObservedClass): () => void {
  return atCallSite(observeFlags, () => {
    const owner: unknown = typeof target === 'function' ? Reflect.get(target, 'prototype') : target
    if (!isObject(owner) || !('isEnabled' in owner) || !('getVariant' in owner))
      throw invalidArgument('observeFlags', "an SDK's client, or its class", target)
    if (typeof target !== 'function') sdkDirectory().observe(sdkOf(owner).id)
    const ends = [
      replace(owner, 'isEnabled', (client, given, isOn) => tell(client, 'isEnabled', given, { isOn: isOn === true })),
      replace(owner, 'getVariant', (client, given, found) => tell(client, 'getVariant', given, variantIn(found))),
      // Before the first request, so that the mock knows an SDK that asks for nothing.
      replace(owner, 'start', undefined, (client) => sdkDirectory().observe(sdkOf(client).id)),
    ]
    return () => {
      for (const end of ends) end()
    }
  })
}

/** Calls functions before and after a method. Returns a function that ends it. */
function replace(
  owner: object,
  name: string,
  after?: (client: object, given: readonly unknown[], returned: unknown) => void,
  before?: (client: object) => void,
): () => void {
  const method: ClientMethod | undefined = Reflect.get(owner, name)
  if (typeof method !== 'function' || OBSERVED in method) return () => undefined
  const own = Object.getOwnPropertyDescriptor(owner, name)
  const observed: ClientMethod = function (...given) {
    before?.(this)
    const returned = method.apply(this, given)
    after?.(this, given, returned)
    return returned
  }
  Object.assign(observed, { [OBSERVED]: true })
  Object.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? false,
    value: observed,
  })
  return () => {
    if (Reflect.get(owner, name) !== observed) return
    if (own === undefined) Reflect.deleteProperty(owner, name)
    else Object.defineProperty(owner, name, own)
  }
}

interface Observation {
  isOn: boolean
  variant?: string | undefined
}

function tell(
  client: object,
  method: string,
  [name, context]: readonly unknown[],
  { isOn, variant }: Observation,
): void {
  const { kind, id } = sdkOf(client)
  const place = sdkDirectory().find(id)
  if (place === undefined || typeof name !== 'string') return
  // An SDK that had started before it was observed.
  if (!sdkDirectory().isObserved(id)) sdkDirectory().observe(id)
  const ofServer = kind === 'server' ? { fields: fieldsIn(context), context: wholeContext(client, context) } : {}
  const asksVariant = method === 'getVariant'
  const observed = { kind, id, name, isOn, variant, asksVariant, isEarly: isEarly(client), ...ofServer }
  place.coverage.forSession(place.session).observed(observed)
}

/** Identifies an SDK by fields that its requests also have. Versions without an ID have an empty one. */
function sdkOf(client: object): { kind: SdkKind; id: string } {
  const metrics: unknown = Reflect.get(client, 'metrics')
  const ofMetrics: unknown = isObject(metrics) ? metrics.connectionId : undefined
  const id: unknown = Reflect.get(client, 'connectionId') ?? ofMetrics
  return { kind: 'isSynchronized' in client ? 'server' : 'frontend', id: typeof id === 'string' ? id : '' }
}

/** Whether an SDK has no flags from the mock yet, so that it says off for each. */
function isEarly(client: object): boolean {
  const { isSynchronized, isReady, fetchedFromServer } = client as Partial<Record<string, unknown>>
  if (typeof isSynchronized === 'function') return isSynchronized.call(client) !== true
  if (typeof fetchedFromServer === 'boolean') return !fetchedFromServer
  return typeof isReady === 'function' && isReady.call(client) !== true
}

function variantIn(found: unknown): Observation {
  if (!isObject(found)) return { isOn: false }
  const { name, feature_enabled: isOn, featureEnabled, enabled } = found
  return { isOn: (isOn ?? featureEnabled ?? enabled) === true, variant: typeof name === 'string' ? name : undefined }
}

/** The context of an evaluation, with the fields that are the same for all evaluations of a server's SDK. */
function wholeContext(client: object, context: unknown): object {
  const own: unknown = Reflect.get(client, 'staticContext')
  return { ...(isObject(own) && own), ...(isObject(context) && context) }
}

/** The names of the fields of a context with values. */
function fieldsIn(context: unknown): string[] {
  if (!isObject(context)) return []
  const fields: string[] = []
  for (const field in context) {
    const value = context[field]
    if (field === 'properties') fields.push(...fieldsIn(value))
    else if (value !== undefined && value !== '') fields.push(field)
  }
  return fields
}
