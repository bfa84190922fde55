import { MockError } from '../errors/mock-errors.js'
import {
  type ActiveRule,
  type ForceRule,
  includesOperation,
  type MatchedRequest,
  matchesRequest,
  replacesAnswer,
} from './force-rule.js'

/** The state of a world's rules, as plain JSON. */
export interface RulesPosition {
  rules: readonly ActiveRule[]
  lastId: number
}

/** The maximum rules in a world. */
export const RULES_KEPT = 1000

export interface AppliedRules {
  /** Oldest first. */
  all: readonly ForceRule[]
  /** The rule that responds. Undefined if the operation responds. */
  answering: ActiveRule | undefined
}

/**
 * The rules of one world. All matching rules that only delay or set headers apply; of matching rules that
 * respond, only the newest.
 */
export class ForceRules {
  #rules: ActiveRule[] = []
  #lastId = 0

  /** Throws `INVALID_RULE` beyond the maximum. */
  add(rule: ForceRule): ActiveRule {
    if (this.#rules.length >= RULES_KEPT) {
      throw new MockError(
        'INVALID_RULE',
        `The limit of ${RULES_KEPT.toLocaleString('en')} rules is reached.`,
        'Remove rules that you no longer need: end each test with a reset, or call the function that `force` returned.',
      )
    }
    this.#lastId++
    const active = { id: String(this.#lastId), rule, seen: 0 }
    this.#rules.push(active)
    return active
  }

  /** Replaces a rule, and resets its count. Returns the new rule; undefined for an unknown ID. */
  replace(id: string, rule: ForceRule): ActiveRule | undefined {
    const active = { id, rule, seen: 0 }
    this.#rules = this.#rules.map((one) => (one.id === id ? active : one))
    return this.#rules.find((one) => one === active)
  }

  remove(id: string): boolean {
    const kept = this.#rules.filter((active) => active.id !== id)
    const removed = kept.length < this.#rules.length
    this.#rules = kept
    return removed
  }

  clear(): void {
    this.#rules = []
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  all(): readonly ActiveRule[] {
    return this.#rules
  }

  position(): RulesPosition {
    return { rules: this.#rules.map((active) => ({ ...active })), lastId: this.#lastId }
  }

  /** Restores a position. A rule that equals a known rule becomes that rule. */
  goTo({ rules, lastId }: RulesPosition, known: readonly ForceRule[]): void {
    const byText = new Map(known.toReversed().map((rule) => [JSON.stringify(rule), rule]))
    this.#rules = rules.map(({ id, rule, seen }) => ({ id, rule: byText.get(JSON.stringify(rule)) ?? rule, seen }))
    this.#lastId = lastId
  }

  /**
   * The rules that apply to a request for this operation. Counts the request for each matching rule; of rules that
   * respond, only down to the newest that does.
   */
  countAndMatch(operation: string, request: () => MatchedRequest): AppliedRules {
    const all: ForceRule[] = []
    let answering: ActiveRule | undefined
    let sent: MatchedRequest | undefined
    for (const active of this.#rules.toReversed()) {
      const { rule } = active
      const answers = replacesAnswer(rule)
      if ((answers && answering !== undefined) || !includesOperation(rule.operation, operation)) continue
      if (rule.match !== undefined) {
        sent ??= request()
        if (!matchesRequest(rule.match, sent)) continue
      }
      active.seen++
      const turn = active.seen - (rule.after ?? 0)
      if (turn < 1 || turn > (rule.times ?? Number.POSITIVE_INFINITY)) continue
      all.push(rule)
      if (answers) answering = active
    }
    return { all: all.toReversed(), answering }
  }
}
