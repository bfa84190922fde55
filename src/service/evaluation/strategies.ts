import { isInSubnet } from './addresses.js'
import type { EvaluationBudget } from './budget.js'
import { bucketOf, type Chance, type EvaluationContext, rolloutId } from './context.js'

type Parameters = Readonly<Record<string, string>>
type StrategyEvaluator = (
  parameters: Parameters,
  context: EvaluationContext,
  chance: Chance,
  budget: EvaluationBudget,
) => boolean

/** The built-in strategies. An unknown strategy is never satisfied. */
const strategies: Readonly<Record<string, StrategyEvaluator>> = {
  default: () => true,

  flexibleRollout({ groupId = '', rollout, stickiness = '' }, context, chance, budget) {
    const id = rolloutId(stickiness || 'default', context, chance)
    return id !== undefined && isRolledOut(id, groupId, rollout, budget)
  },

  gradualRolloutUserId: ({ groupId = '', percentage }, { userId = '' }, _chance, budget) =>
    userId !== '' && isRolledOut(userId, groupId, percentage, budget),

  gradualRolloutSessionId: ({ groupId = '', percentage }, { sessionId = '' }, _chance, budget) =>
    sessionId !== '' && isRolledOut(sessionId, groupId, percentage, budget),

  gradualRolloutRandom: ({ percentage }, _context, chance) => Number(percentage) > chance() * 100,

  userWithId: ({ userIds = '' }, { userId }, _chance, budget) =>
    userId !== undefined && listOf(userIds, budget).includes(userId),

  remoteAddress: ({ IPs = '' }, { remoteAddress = '' }, _chance, budget) =>
    listOf(IPs, budget).some((range) => range === remoteAddress || isInSubnet(remoteAddress, range)),
}

/** Whether a strategy is satisfied, apart from its constraints. */
export function isSatisfied(
  name: string,
  parameters: Parameters,
  context: EvaluationContext,
  chance: Chance,
  budget: EvaluationBudget,
): boolean {
  return isBuiltIn(name) && (strategies[name]?.(parameters, context, chance, budget) ?? false)
}

export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(strategies, name)
}

function isRolledOut(id: string, groupId: string, percentage: string | undefined, budget: EvaluationBudget): boolean {
  const share = Number(percentage)
  return share > 0 && bucketOf(id, groupId, 100, budget) <= share
}

/**
 * `'a, b'` → `['a', 'b']`; an empty list for an empty text. White space at both ends of the text stays, as in the SDKs.
 * Splitting at an expression that includes the spaces would take quadratic time.
 */
function listOf(text: string, budget: EvaluationBudget): string[] {
  if (text === '') return []
  budget.spend(text.length)
  const items = text.split(',')
  const last = items.length - 1
  return items.map((item, i) => {
    const begun = i === 0 ? item : item.trimStart()
    return i === last ? begun : begun.trimEnd()
  })
}
