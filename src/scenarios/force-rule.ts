import * as z from 'zod'
import { operationIds } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import { type Fault, faults } from './faults.js'

const milliseconds = z.number().min(0).max(3_600_000)
const count = z.int().min(0)
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
const headerValue = z
  .string()
  .regex(/^[\t -~\u0080-\u00ff]*$/, 'must be what a header can carry: Latin characters, in one line')

/** Headers that frame an answer or belong to its connection. A wrong one makes an answer that no client can read. */
const FRAMING = /^(?:connection|content-length|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const headers = z.record(headerName, headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given).filter((name) => FRAMING.test(name))) {
    const message = 'must not be forced: the server sets it, so that clients can read the answer'
    context.addIssue({ code: 'custom', path: [name], message })
  }
})

/** A rule that forces an operation's answer. It takes precedence over every check. */
export const forceRuleSchema = z
  .strictObject({
    operation: z.enum([...operationIds, '*']).meta({ description: 'The id of an operation, or * for all' }),
    status: z.int().min(200).max(599).optional().meta({ description: 'The status to answer' }),
    error: z
      .strictObject({
        permission: z.string().optional(),
        environment: z.string().optional(),
        message: z.string().optional(),
      })
      .optional()
      .meta({ description: 'Fields of the error object' }),
    body: z.unknown().optional().meta({ description: 'The body to answer, instead of an error object' }),
    headers: headers
      .optional()
      .meta({ description: "Headers of the answer; on their own they are added to the operation's" }),
    delay: milliseconds.optional().meta({ description: 'Milliseconds to wait before the answer' }),
    fault: z.enum(Object.keys(faults) as Fault[]).optional(),
    after: count.optional().meta({ description: 'How many requests to skip before the rule applies' }),
    times: count.optional().meta({ description: 'How many requests the rule applies to' }),
  })
  .meta({ id: 'forceRule' })

export type ForceRule = z.input<typeof forceRuleSchema>

/** A rule in force, with the number of requests that reached it. */
export interface ActiveRule {
  id: string
  rule: ForceRule
  seen: number
}

/** Whether a rule replaces the operation's answer. If not, it delays it or adds headers to it. */
export function replacesAnswer(rule: ForceRule): boolean {
  return rule.status !== undefined || rule.error !== undefined || rule.body !== undefined || rule.fault !== undefined
}

/** Force rules that a world takes. */
export const RULES_KEPT = 1000

/** The force rules of one world. The newest matching rule wins. */
export class ForceRules {
  #rules: ActiveRule[] = []
  #lastId = 0

  /** Throws `INVALID_RULE` if there are too many. */
  add(rule: ForceRule): ActiveRule {
    if (this.#rules.length >= RULES_KEPT) throw tooManyRules()
    this.#lastId++
    const active = { id: String(this.#lastId), rule, seen: 0 }
    this.#rules.push(active)
    return active
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

  all(): readonly ActiveRule[] {
    return this.#rules
  }

  /**
   * The rule that applies to a request for this operation. The request counts for each rule, from the newest on, until
   * one applies.
   */
  countAndMatch(operation: string): ActiveRule | undefined {
    for (const active of this.#rules.toReversed()) {
      const { rule } = active
      if (rule.operation !== '*' && rule.operation !== operation) continue
      active.seen++
      const turn = active.seen - (rule.after ?? 0)
      if (turn >= 1 && turn <= (rule.times ?? Number.POSITIVE_INFINITY)) return active
    }
    return undefined
  }
}

function tooManyRules(): MockError {
  return new MockError(
    'INVALID_RULE',
    `There are ${RULES_KEPT.toLocaleString('en')} force rules already.`,
    'Remove rules that are no longer needed: each test should end with a reset, or call what `force` returned.',
  )
}
