import * as z from 'zod'
import { isDay } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { compileExpression, expressionSize, LARGEST_EXPRESSION } from '../../../support/linear-expression.js'
import type { Detail } from '../../contract/errors.js'
import { constraintOperators, isStrictVersion, knownOperators } from '../../evaluation/constraints.js'
import { asDeclared, field, openEnum } from '../shared/fields.js'
import { named, namedStrict } from '../shared/schema.js'

/** A condition on the context, part of a strategy or a segment. Files of newer versions can contain other operators. */
export const constraintSchema = named('constraintSchema', () => ({
  contextName: field(z.string(), 'The context field, such as `userId` or `appName`.'),
  operator: field(openEnum(knownOperators), 'The comparison operator.'),
  caseInsensitive: field(z.boolean().optional(), 'Whether the comparison ignores case. Default: false.'),
  inverted: field(z.boolean().optional(), 'Whether the constraint is negated. Default: false.'),
  values: field(
    z.array(z.string()).optional(),
    'The values to compare with, for `IN`, `NOT_IN` and the operators that begin with `STR_`.',
  ),
  value: field(z.string().optional(), 'The value to compare with, for all other operators.'),
}))

export type Constraint = z.infer<typeof constraintSchema>

export const sentConstraintSchema = namedStrict('sentConstraintSchema', () => ({
  ...constraintSchema.shape,
  operator: field(z.enum(constraintOperators), 'The comparison operator.'),
  value: asDeclared(constraintSchema.shape.value, z.string().min(1, 'must not be empty').optional()),
}))

type SentConstraint = Frozen<Constraint>

/** The maximum constraints of a strategy, and values of a constraint. */
export const constraintLimits = { constraints: 30, constraintValues: 250 } as const
const LONGEST_VALUE = 100

/** A constraint as stored: always with a list of values, its fields in the order of the schema. */
export function normalizeConstraint(given: SentConstraint): SentConstraint {
  if (given.values !== undefined) return given
  const { value, ...others } = given
  return { ...others, values: [], ...(value === undefined ? {} : { value }) }
}

/** The error of the first constraint whose form is wrong, with its place in a segment. */
export function formFaultInSegment(constraints: readonly SentConstraint[]): Detail | undefined {
  return constraints.map((one, i) => formFault(one, `/body/constraints/${i}`, `constraints[${i}].`)).find(isFault)
}

/** The first error of the constraints. */
export function faultOfConstraints(constraints: readonly SentConstraint[], root: string): Detail | undefined {
  return constraints.map((one, i) => formFault(one, `${root}/${i}`) ?? valueFault(one, `${root}/${i}`)).find(isFault)
}

function isFault(fault: Detail | undefined): fault is Detail {
  return fault !== undefined
}

/** An empty name, or a text in the list of values that is empty or too long, whatever the operator. */
function formFault({ contextName, values = [] }: SentConstraint, at: string, place = ''): Detail | undefined {
  if (contextName === '') return fault(`${at}/contextName`, `"${place}contextName" must not be empty.`)
  const wrong = values.findIndex((text) => text === '' || text.length > LONGEST_VALUE)
  if (wrong < 0) return undefined
  const message = `"${place}values[${wrong}]" must have 1 to ${LONGEST_VALUE} characters; "${values[wrong]}" was sent.`
  return fault(`${at}/values/${wrong}`, message)
}

function valueFault({ operator, inverted, value = '', values = [] }: SentConstraint, at: string): Detail | undefined {
  const kind = singleKindOf(operator)
  if (kind === undefined) {
    return values.length > 0 ? undefined : fault(`${at}/values`, '"value" must have at least one item; [] was sent.')
  }
  const { name, isGood } = tests[kind]
  if (!isGood(value)) return fault(`${at}/value`, `"value" must be ${name}; "${value}" was sent.`)
  return kind === 'pattern' && inverted ? fault(`${at}/inverted`, `${operator} can't be inverted.`) : undefined
}

/** The limit that constraints exceed, for a message. */
export function exceededLimit(constraints: readonly SentConstraint[]): string | undefined {
  if (constraints.length > constraintLimits.constraints) return `${constraintLimits.constraints} constraints`
  const tooLong = constraints.some(({ values = [] }) => values.length > constraintLimits.constraintValues)
  return tooLong ? `${constraintLimits.constraintValues} values per constraint` : undefined
}

/**
 * The limit that regular expressions exceed together, for a message. It is checked first, because compiling expressions
 * takes time.
 */
export function exceededExpressionLimit(constraints: readonly SentConstraint[]): string | undefined {
  const expressions = constraints.filter(({ operator }) => operator === 'REGEX')
  const size = expressions.reduce((sum, { value = '' }) => sum + expressionSize(value), 0)
  if (size <= LARGEST_EXPRESSION) return undefined
  return `${LARGEST_EXPRESSION} characters in regular expressions, with repetitions written out`
}

type SingleKind = 'number' | 'date' | 'version' | 'pattern'

/** The type of value for operators with these prefixes; the others take a list of texts. */
const kinds: Readonly<Record<string, SingleKind | undefined>> = {
  NUM: 'number',
  DATE: 'date',
  SEMVER: 'version',
  REGEX: 'pattern',
}

/** The type of value for an operator; undefined for operators with a list of texts. */
export function singleKindOf(operator: string): SingleKind | undefined {
  return kinds[operator.replace(/_.*/, '')]
}

const tests: Readonly<Record<SingleKind, { name: string; isGood: (value: string) => boolean }>> = {
  number: { name: 'a number', isGood: isSafeNumber },
  date: { name: 'a date-time', isGood: isDateTime },
  version: { name: 'a semantic version', isGood: isStrictVersion },
  pattern: { name: 'a regular expression', isGood: isPattern },
}

const OTHER_NOTATION = /[xob]/i

/** Unleash rejects other notations, such as `0x10`, and numbers that lose digits. */
function isSafeNumber(value: string): boolean {
  const isDecimal = value.trim() !== '' && !OTHER_NOTATION.test(value)
  return isDecimal && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER
}

const MILLISECONDS = /^[+-]?\d+(\.\d+)?$/

/** Unleash accepts more forms than ISO 8601, and milliseconds since 1970. A day in the ISO form must exist. */
function isDateTime(value: string): boolean {
  if (MILLISECONDS.test(value)) return !Number.isNaN(new Date(Number(value)).getTime())
  const [day] = /^\d{4}-\d\d-\d\d/.exec(value) ?? []
  return !Number.isNaN(Date.parse(value)) && (day === undefined || isDay(day))
}

function isPattern(value: string): boolean {
  return value !== '' && compileExpression(value) !== undefined
}

function fault(path: string, message: string): Detail {
  return { path, message }
}
