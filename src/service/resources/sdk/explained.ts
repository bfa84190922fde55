import type { EvaluationContext } from '../../evaluation/context.js'
import { createEvaluator } from '../../evaluation/evaluate.js'
import { reasonToBeOff } from '../../evaluation/reasons.js'
import type { StoredFeature } from '../flags/features.js'
import type { SdkScope, SdkTables } from '../shared/context.js'
import { clientQuery, environmentOf } from './client-features.js'
import { findClientFeature, preparerOf } from './client-features.operations.js'
import { createBudget } from './frontend.js'

/** The reason of a flag that no environment switches on. */
export const ENABLED_NOWHERE = 'no environment is enabled (mock.enable enables all)'

/** An SDK: its token's environment and projects, the query of its request for features, and the context of its questions. */
export interface AskingSdk {
  told: SdkTables
  scope: SdkScope
  query: Parameters<typeof clientQuery>[1]
  context: EvaluationContext
  now: Date
}

/** What an SDK is told about a feature. */
export interface ExplainedFeature {
  /** Whether it is among the features of the SDK's request. */
  isListed: boolean
  /** Whether it is switched on in the SDK's environment. */
  isSwitchedOn: boolean
  isOn: boolean
  /** The name of its variant. Undefined without one. */
  variant: string | undefined
  hasVariants: boolean
  /** Whether chance has no influence. */
  isSure: boolean
  /** Why it is off, in words that follow "it is off: ". Undefined if it is on, or if chance decides. */
  reason: string | undefined
}

/** Returns a function that evaluates stored features for an SDK, and says why they are off. */
export function createExplainer({ told, scope, query: sent, context, now }: AskingSdk) {
  const query = clientQuery(scope, sent, null)
  const environment = environmentOf(scope)
  const prepare = preparerOf(told, query)
  const budget = createBudget()
  let usesChance = false
  const chance = () => {
    usesChance = true
    return 0
  }
  const find = (name: string) => {
    const feature = findClientFeature(told, query, name)
    // A frontend's parent that is off in the environment is unknown.
    return feature?.enabled === true || scope.isFrontend !== true ? feature : undefined
  }
  const evaluate = createEvaluator(find, chance, now, budget)

  function switchedOff({ name, project, archived, environments }: StoredFeature): string | undefined {
    if (archived) return "archived, so SDKs don't get it"
    if (findClientFeature(told, query, name) === undefined) return notInQuery(project)
    if (environments.some((one) => one.name === environment && one.enabled)) return undefined
    const elsewhere = environments.filter(({ enabled }) => enabled).map((one) => one.name)
    return elsewhere.length === 0
      ? ENABLED_NOWHERE
      : `on in ${elsewhere.join(' and ')} only, and the SDK reads ${environment}, by its API token or mock.client's environment`
  }

  function notInQuery(project: string): string {
    const { projects } = scope
    if (!projects.includes('*') && !projects.includes(project))
      return `in the project ${project}, and the SDK's API token is for ${projects.join(', ')}`
    return `the SDK asks only for features with ${new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, String(value)]))}`
  }

  return (stored: StoredFeature): ExplainedFeature => {
    const off = switchedOff(stored)
    const prepared = prepare(stored)
    const isListed = findClientFeature(told, query, stored.name) !== undefined
    usesChance = false
    const { enabled: isOn, variant } = off === undefined ? evaluate(prepared, context) : { enabled: false }
    const isSure = !usesChance
    const lists = [prepared.variants ?? [], ...(prepared.strategies ?? []).map(({ variants = [] }) => variants)]
    const hasVariants = lists.some(({ length }) => length > 0)
    const reason = isOn ? undefined : (off ?? reasonToBeOff(prepared, { context, now, budget, find, evaluate }))
    return { isListed, isSwitchedOn: prepared.enabled, isOn, variant: variant?.name, hasVariants, isSure, reason }
  }
}
