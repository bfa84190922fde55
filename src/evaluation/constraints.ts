import { compileExpression } from '../support/linear-expression.js'
import { contextValue, type EvaluationContext } from './context.js'
import { compareVersions } from './semver.js'

/** A condition on one field of the context. */
export interface Constraint {
  contextName: string
  operator: string
  caseInsensitive?: boolean | undefined
  inverted?: boolean | undefined
  values?: readonly string[] | undefined
  value?: string | undefined
}

type Test = (constraint: Constraint, found: string | undefined) => boolean

/** The operators by name. An unknown operator is never satisfied, not even if inverted. */
const operators: Readonly<Record<string, Test>> = {
  IN: (constraint, found) => valuesOf(constraint).some((value) => value === found),
  NOT_IN: (constraint, found) => !valuesOf(constraint).some((value) => value === found),
  STR_STARTS_WITH: text((found, value) => found.startsWith(value)),
  STR_ENDS_WITH: text((found, value) => found.endsWith(value)),
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
  SEMVER_GTE: version((order) => order >= 0),
  SEMVER_LT: version((order) => order < 0),
  SEMVER_LTE: version((order) => order <= 0),
  REGEX: matches,
}

export function satisfies(constraint: Constraint, context: EvaluationContext, now: Date): boolean {
  const test = Object.hasOwn(operators, constraint.operator) ? operators[constraint.operator] : undefined
  if (test === undefined) return false
  const comparesTime = constraint.operator.startsWith('DATE_')
  const found = comparesTime
    ? (context.currentTime ?? now.toISOString())
    : contextValue(context, constraint.contextName)
  return test(constraint, found) !== (constraint.inverted ?? false)
}

function valuesOf({ values = [] }: Constraint): string[] {
  return values.filter((value) => value !== '').map((value) => value.trim())
}

function text(holds: (found: string, value: string) => boolean): Test {
  return (constraint, found) => {
    if (found === undefined) return false
    const fold = (given: string) => (constraint.caseInsensitive === true ? given.toLowerCase() : given)
    const folded = fold(found)
    return valuesOf(constraint).some((value) => holds(folded, fold(value)))
  }
}

function number(holds: (found: number, value: number) => boolean): Test {
  return ({ value }, found) => {
    const numbers = [Number(found), Number(value)] as const
    return !numbers.some(Number.isNaN) && holds(...numbers)
  }
}

function date(holds: (found: number, value: number) => boolean): Test {
  return ({ value }, found) => holds(Date.parse(found ?? ''), Date.parse(value ?? ''))
}

function version(holds: (order: number) => boolean): Test {
  return ({ value = '' }, found) => {
    const order = found === undefined ? undefined : compareVersions(found, value)
    return order !== undefined && holds(order)
  }
}

function matches({ value = '', caseInsensitive = false }: Constraint, found: string | undefined): boolean {
  if (found === undefined) return false
  const expression = compileExpression(value, { caseInsensitive })
  return expression.ok && expression.value.test(found)
}
