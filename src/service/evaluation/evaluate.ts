import type { EvaluationBudget } from './budget.js'
import { type EvaluationConstraint, satisfies } from './constraints.js'
import type { Chance, EvaluationContext } from './context.js'
import { isSatisfied } from './strategies.js'
import { type EvaluationVariant, type Payload, selectVariant } from './variants.js'

/** A feature in one environment, as SDKs receive it. */
export interface EvaluatedFeature {
  name: string
  enabled: boolean
  strategies?: readonly EvaluatedStrategy[] | undefined
  variants?: readonly EvaluationVariant[] | null | undefined
  dependencies?:
    | readonly { feature: string; enabled?: boolean | undefined; variants?: readonly string[] | undefined }[]
    | undefined
}

interface EvaluatedStrategy {
  name: string
  parameters?: Readonly<Record<string, string>> | undefined
  constraints?: readonly EvaluationConstraint[] | undefined
  variants?: readonly EvaluationVariant[] | undefined
}

/** Finds a feature that others depend on, by name. */
type Find = (name: string) => EvaluatedFeature | undefined

export interface Evaluation {
  enabled: boolean
  /** Undefined if the feature is off or has no variants. */
  variant?: { name: string; payload?: Payload } | undefined
}

const OFF: Evaluation = { enabled: false }

/** Returns a function that evaluates features as Unleash's SDKs do. Strategies contain the constraints of their segments. */
export function createEvaluator(find: Find, chance: Chance, now: Date, budget: EvaluationBudget) {
  const parents = new WeakMap<EvaluationContext, Map<string, Evaluation | undefined>>()

  /** Evaluates a parent once in a context, however many features depend on it. Undefined if it never counts. */
  function evaluateParent(name: string, context: EvaluationContext): Evaluation | undefined {
    const known = parents.get(context) ?? new Map<string, Evaluation | undefined>()
    parents.set(context, known)
    if (!known.has(name)) {
      const parent = find(name)
      const counts = parent !== undefined && (parent.dependencies ?? []).length === 0
      known.set(name, counts ? evaluate(parent, context) : undefined)
    }
    return known.get(name)
  }

  /** Whether all parents are on (or off, if required). A parent with its own parents never counts. */
  function parentsAllow({ dependencies = [] }: EvaluatedFeature, context: EvaluationContext): boolean {
    return dependencies.every(({ feature, enabled = true, variants = [] }) => {
      const found = evaluateParent(feature, context)
      budget.spend(1 + variants.length)
      if (found === undefined || found.enabled !== enabled) return false
      return !enabled || variants.length === 0 || variants.includes(found.variant?.name ?? 'disabled')
    })
  }

  function evaluate(feature: EvaluatedFeature, context: EvaluationContext): Evaluation {
    if (!feature.enabled || !parentsAllow(feature, context)) return OFF
    const { strategies = [] } = feature
    const match = strategies.find(
      ({ name, constraints = [], parameters = {} }) =>
        constraints.every((constraint) => satisfies(constraint, context, now, budget)) &&
        isSatisfied(name, parameters, context, chance, budget),
    )
    if (match === undefined && strategies.length > 0) return OFF
    const choose = (...spread: Spread) => selectVariant(...spread, context, chance, budget)
    const variant = (match && choose(...strategyVariants(match))) ?? choose(...featureVariants(feature))
    if (variant === undefined) return { enabled: true }
    const { name, payload } = variant
    return {
      enabled: true,
      variant: { name, ...(payload && { payload: { type: payload.type, value: payload.value } }) },
    }
  }

  return evaluate
}

type Spread = [variants: readonly EvaluationVariant[], spread: { groupId: string; stickiness: string }]

function strategyVariants({ parameters = {}, variants = [] }: EvaluatedStrategy): Spread {
  const stickiness = variants[0]?.stickiness || parameters.stickiness || 'default'
  return [variants, { groupId: parameters.groupId ?? 'undefined', stickiness }]
}

function featureVariants({ name, variants }: EvaluatedFeature): Spread {
  const stickiness = variants?.[0]?.stickiness || 'default'
  return [variants ?? [], { groupId: name, stickiness }]
}
