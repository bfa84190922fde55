import { type Frozen, none } from '../../../support/freeze.js'
import { JsonText } from '../../../support/json.js'
import { createFeatureRecord, emptyEnvironment, type StoredFeature } from '../flags/features.js'
import { completeVariant, type Variant, WHOLE } from '../flags/variants.js'
import type { OperationContext, SdkTables, Tables } from '../shared/context.js'

/** The states that SDKs are told in place of the data, by the names of flags: `on`, `off`, `gone` or a variant. */
export type FlagStates = ReadonlyMap<string, string>

/** In the place of a flag's name: all flags of the data, unless they have a separate state. */
export const ALL_FLAGS = '*'

export const ON = 'on'
export const OFF = 'off'
export const GONE = 'gone'

/** The states that any flag can have. All others are the names of its variants. */
export const SWITCHES: readonly string[] = [ON, OFF, GONE]

/**
 * The tables with the features that SDKs are told. Features without a state stay the same objects. A flag that only a state
 * makes is in the first project of the caller's token.
 */
export function toldTables(tables: Tables, states: FlagStates, { caller, now }: Asking): SdkTables {
  const { features, environments } = tables
  const { cache } = features
  const project = caller.sdk?.projects.find((id) => id !== '*') ?? 'default'
  const names = environments.list().map(({ name }) => name)
  const all = states.get(ALL_FLAGS)
  const gone = new Set([...states.keys()].filter((name) => states.get(name) === GONE))
  const changed = new WeakSet<object>()
  const tell = (feature: StoredFeature, own?: string): StoredFeature | undefined => {
    const state = own ?? (feature.archived ? undefined : all)
    const switched = state === undefined ? feature : inState(feature, state, names)
    const told = gone.size === 0 ? switched : switched && withoutParents(switched, gone)
    if (told !== undefined && told !== feature) changed.add(told)
    return told
  }
  const made = (name: string) =>
    [ON, OFF].includes(states.get(name) ?? '') && name !== ALL_FLAGS
      ? createFeatureRecord({ name }, { now: now.toISOString(), actor: caller.actor, project, environments: none })
      : undefined
  const get = (name: string) => {
    const feature = features.get(name) ?? made(name)
    return feature && tell(feature, states.get(name))
  }
  const list = () => {
    const listed: StoredFeature[] = []
    for (const feature of features.list()) {
      const told = tell(feature, states.get(feature.name))
      if (told !== undefined) listed.push(told)
    }
    const missing = [...states.keys()].filter((name) => !features.has(name))
    return [...listed, ...missing.flatMap((name) => get(name) ?? none)]
  }
  return {
    ...tables,
    features: {
      get,
      list,
      count: (index, value) => features.count(index, value),
      cache: {
        // Only the last result is kept: many states must not push out the results that all others share.
        answer: (name, basis, make) => {
          const all = JSON.stringify([name, ...states, project, environments.version])
          return cache.answer('the last told', [all, ...basis], make)
        },
        texts: (name, basis, write) => {
          const textOf = cache.texts(name, basis, write)
          return (record) => (changed.has(record) ? new JsonText(write(record)) : textOf(record))
        },
      },
    },
  }
}

type Asking = Pick<OperationContext, 'caller' | 'now'>

/** A feature in a state, in all environments. Undefined if SDKs aren't told of it. */
function inState(feature: StoredFeature, state: string, environments: readonly string[]): StoredFeature | undefined {
  if (state === GONE) return undefined
  const variant = SWITCHES.includes(state) ? undefined : variantsOf(feature).find(({ name }) => name === state)
  // It had the variant when the state was saved.
  if (variant === undefined && !SWITCHES.includes(state)) return feature
  const told = environments.map((name) => {
    const own = feature.environments.find((one) => one.name === name) ?? emptyEnvironment(name)
    if (state === OFF) return { ...own, enabled: false }
    return { ...own, enabled: true, strategies: none, variants: variant ? [forEveryone(variant)] : variantsIn(own) }
  })
  const parents = state === OFF ? feature.dependencies : none
  return { ...feature, archived: false, environments: told, dependencies: parents }
}

/** The variants of a feature without its strategies: those of the first strategy that has any, which SDKs prefer. */
function variantsIn({ strategies, variants }: StoredFeature['environments'][number]): readonly Frozen<Variant>[] {
  const own = strategies.find((one) => !one.disabled && one.variants.length > 0)?.variants
  return own ?? variants
}

function forEveryone({ name, payload }: Frozen<Pick<Variant, 'name' | 'payload'>>) {
  return completeVariant({ name, weight: WHOLE, ...(payload && { payload }) })
}

/** A feature without its dependencies on some flags, as if these had been deleted. */
function withoutParents(feature: StoredFeature, gone: ReadonlySet<string>): StoredFeature {
  const dependencies = feature.dependencies.filter((one) => !gone.has(one.feature))
  return dependencies.length === feature.dependencies.length ? feature : { ...feature, dependencies }
}

/** All variants of a feature, in any environment and any strategy. */
export function variantsOf({ environments }: StoredFeature) {
  return environments.flatMap(({ variants, strategies }) => [
    ...variants,
    ...strategies.flatMap((strategy) => strategy.variants),
  ])
}
