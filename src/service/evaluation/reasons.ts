import { show } from '../../support/json.js'
import type { EvaluationBudget } from './budget.js'
import { type EvaluationConstraint, satisfies } from './constraints.js'
import { contextValue, type EvaluationContext } from './context.js'
import type { EvaluatedFeature, Evaluation } from './evaluate.js'
import { isBuiltIn, isSatisfied } from './strategies.js'

/** The maximum strategies, or values of a constraint, in a sentence. */
const LISTED = 3

/** The parts of an evaluation that a reason needs. */
interface Asked {
  context: EvaluationContext
  now: Date
  budget: EvaluationBudget
  /** Finds a feature that others depend on, by name. */
  find: (name: string) => EvaluatedFeature | undefined
  evaluate: (feature: EvaluatedFeature, context: EvaluationContext) => Evaluation
}

/**
 * The reason why a feature that is switched on is off in a context, in words that follow "it is off: ". Undefined if chance
 * decides.
 */
export function reasonToBeOff(feature: EvaluatedFeature, asked: Asked): string | undefined {
  const { strategies = [], dependencies } = feature
  const [parent] = (dependencies ?? []).flatMap((one) => parentReason(one, asked) ?? [])
  if (parent !== undefined) return parent
  const reasons = strategies.map((strategy) => strategyReason(strategy, asked))
  if (reasons.length === 0 || reasons.includes(undefined)) return undefined
  const rest = reasons.length - LISTED
  return `${reasons.slice(0, LISTED).join('; ')}${rest > 0 ? `; and ${rest} more strategies` : ''}`
}

function parentReason(
  { feature: name, enabled = true, variants = [] }: NonNullable<EvaluatedFeature['dependencies']>[number],
  { find, evaluate, context }: Asked,
): string | undefined {
  const parent = find(name)
  if ((parent?.dependencies ?? []).length > 0) return `the parent ${name} has a parent itself`
  if (parent === undefined && !enabled) return `the parent ${name} must be off, but on in its environment`
  const found = parent === undefined ? { enabled: false } : evaluate(parent, context)
  if (found.enabled !== enabled) return `the parent ${name} is ${found.enabled ? 'on, and must be off' : 'off'}`
  const variant = found.variant?.name ?? 'disabled'
  if (!enabled || variants.length === 0 || variants.includes(variant)) return undefined
  return `the parent ${name} has the variant ${show(variant)}, and must have ${valuesText(variants)}`
}

function strategyReason(
  { name, constraints = [], parameters = {} }: NonNullable<EvaluatedFeature['strategies']>[number],
  asked: Asked,
): string | undefined {
  const { context, now, budget } = asked
  const broken = constraints.find((constraint) => !satisfies(constraint, context, now, budget))
  if (broken !== undefined) return `${name} needs ${constraintText(broken)}, ${valueText(broken, asked)}`
  const { userIds, IPs, rollout, percentage, stickiness } = parameters
  if (!isBuiltIn(name)) return `the mock doesn't evaluate the strategy ${name}`
  if (name === 'userWithId') return `userWithId lists ${show(userIds)}, and ${fieldText('userId', context)}`
  if (name === 'remoteAddress') return `remoteAddress lists ${show(IPs)}, and ${fieldText('remoteAddress', context)}`
  if (name === 'gradualRolloutRandom') return undefined
  if (name !== 'flexibleRollout') return `${name} has the percentage ${show(percentage)}`
  if (!(Number(rollout) > 0)) return `flexibleRollout has the rollout ${show(rollout)}`
  const field = stickiness || 'default'
  if (field === 'random') return undefined
  if (field !== 'default' && !contextValue(context, field))
    return `flexibleRollout has the stickiness ${show(field)}, and ${fieldText(field, context)}`
  const by = field === 'default' ? (context.userId ? 'userId' : 'sessionId') : field
  // Without a value, chance decides. So it does if the same context could be on.
  const isSure = contextValue(context, by) && !isSatisfied(name, parameters, context, () => 0, budget)
  return isSure
    ? `flexibleRollout is for ${rollout} % of users, and not for ${by} ${show(contextValue(context, by))}`
    : undefined
}

function constraintText({
  contextName,
  operator,
  inverted,
  values = [],
  value,
  caseInsensitive,
}: EvaluationConstraint) {
  const wanted = values.length > 0 || value === undefined ? valuesText(values) : show(value)
  return `${inverted ? 'NOT ' : ''}${contextName} ${operator} ${wanted}${caseInsensitive ? ' in any case' : ''}`
}

function valueText({ contextName, operator }: EvaluationConstraint, { context, now }: Asked): string {
  if (operator.startsWith('DATE_')) return `and the time is ${context.currentTime ?? now.toISOString()}`
  return `and ${fieldText(contextName, context)}`
}

function fieldText(field: string, context: EvaluationContext): string {
  const value = contextValue(context, field)
  return value === undefined ? `the SDK's context has no ${field}` : `the SDK's context has ${field} ${show(value)}`
}

function valuesText(values: readonly string[]): string {
  const rest = values.length - LISTED
  return `${values.slice(0, LISTED).map(show).join(', ')}${rest > 0 ? ` (and ${rest} more)` : ''}`
}
