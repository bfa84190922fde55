import compare from 'semver/functions/compare.js'
import valid from 'semver/functions/valid.js'
import { none } from '../../support/freeze.js'
import { compileExpression } from '../../support/linear-expression.js'
import { isInRanges } from './addresses.js'
import { type EvaluationBudget, EXPRESSION_STEP, SEARCHED } from './budget.js'
import { contextValue, type EvaluationContext } from './context.js'

/** Compares two semantic versions: below, at or above zero; undefined if one of them is invalid. */
export function compareVersions(one: string, other: string): number | undefined {
  return isVersion(one) && isVersion(other) ? compare(one, other) : undefined
}

/** Whether a text is a version by the standard: with all three numbers, and without a leading `v`. */
export function isVersion(text: string): boolean {
  return valid(text) !== null && !text.startsWith('v')
}

/** Whether a string is a normalized version, without surrounding spaces. */
export function isStrictVersion(text: string): boolean {
  return valid(text) === text.split('+', 1)[0]
}

/** A condition on one field of the context. */
export interface EvaluationConstraint {
  contextName: string
  operator: string
  caseInsensitive?: boolean | undefined
  inverted?: boolean | undefined
  values?: readonly string[] | undefined
  value?: string | undefined
}

type OperatorTest = (constraint: EvaluationConstraint, found: string | undefined, budget: EvaluationBudget) => boolean

/** Unleash's operators by name, in its order. */
const ofUnleash = {
  NOT_IN: (constraint, found) => found === undefined || !valuesOf(constraint).has(found),
  IN: (constraint, found) => found !== undefined && valuesOf(constraint).has(found),
  STR_ENDS_WITH: text((found, value) => found.endsWith(value)),
  STR_STARTS_WITH: text((found, value) => found.startsWith(value)),
  STR_CONTAINS: text((found, value) => found.includes(value)),
  NUM_EQ: number((found, value) => found === value),
  NUM_GT: number((found, value) => found > value),
  NUM_GTE: number((found, value) => found >= value),
  NUM_LT: number((found, value) => found < value),
  NUM_LTE: number((found, value) => found <= value),
  DATE_AFTER: date((found, value) => found > value),
  DATE_BEFORE: date((found, value) => found < value),
  SEMVER_EQ: version((order) => order === 0),
  SEMVER_GT: version((order) => order > 0),
  SEMVER_LT: version((order) => order < 0),
  SEMVER_GTE: version((order) => order >= 0),
  SEMVER_LTE: version((order) => order <= 0),
  REGEX: matches,
} satisfies Record<string, OperatorTest>

/** All operators. SDKs evaluate some that Unleash 8.2 doesn't take. */
const operators = {
  ...ofUnleash,
  IN_CIDR(constraint, found, budget) {
    const values = valuesOf(constraint)
    budget.spend(values.size)
    return found !== undefined && isInRanges(found, values)
  },
} satisfies Record<string, OperatorTest>

/** The operators that Unleash takes. */
export const constraintOperators = Object.keys(ofUnleash) as (keyof typeof ofUnleash)[]

/** The operators that the mock evaluates. */
export const knownOperators = Object.keys(operators) as (keyof typeof operators)[]

function isOperator(name: string): name is keyof typeof operators {
  return Object.hasOwn(operators, name)
}

/** An unknown operator is never satisfied, even if inverted. */
export function satisfies(
  constraint: EvaluationConstraint,
  context: EvaluationContext,
  now: Date,
  budget: EvaluationBudget,
): boolean {
  if (!isOperator(constraint.operator)) return false
  const comparesTime = constraint.operator.startsWith('DATE_')
  const found = comparesTime
    ? (context.currentTime ?? now.toISOString())
    : contextValue(context, constraint.contextName)
  budget.spend(1)
  return operators[constraint.operator](constraint, found, budget) !== (constraint.inverted ?? false)
}

/** The values of immutable constraints. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>()

function valuesOf({ values = none }: EvaluationConstraint): ReadonlySet<string> {
  let found = known.get(values)
  if (found === undefined) {
    found = new Set(values.filter((value) => value !== '').map((value) => value.trim()))
    if (Object.isFrozen(values)) known.set(values, found)
  }
  return found
}

function text(holds: (found: string, value: string) => boolean): OperatorTest {
  return (constraint, found, budget) => {
    if (found === undefined) return false
    const values = valuesOf(constraint)
    budget.spend(values.size * (1 + found.length / SEARCHED))
    const fold = (given: string) => (constraint.caseInsensitive === true ? given.toLowerCase() : given)
    const folded = fold(found)
    for (const value of values) if (holds(folded, fold(value))) return true
    return false
  }
}

function number(holds: (found: number, value: number) => boolean): OperatorTest {
  return ({ value }, found) => {
    const numbers = [Number(found), Number(value)] as const
    return !numbers.some(Number.isNaN) && holds(...numbers)
  }
}

function date(holds: (found: number, value: number) => boolean): OperatorTest {
  return ({ value }, found) => holds(Date.parse(found ?? ''), Date.parse(value ?? ''))
}

function version(holds: (order: number) => boolean): OperatorTest {
  return ({ value = '' }, found) => {
    const order = found === undefined ? undefined : compareVersions(found, value)
    return order !== undefined && holds(order)
  }
}

function matches(
  { value = '', caseInsensitive = false }: EvaluationConstraint,
  found: string | undefined,
  budget: EvaluationBudget,
): boolean {
  const expression = found === undefined ? undefined : compileExpression(value, { caseInsensitive })
  if (found === undefined || expression === undefined) return false
  budget.spend(expression.stepsFor(found) * EXPRESSION_STEP)
  return expression.test(found)
}
