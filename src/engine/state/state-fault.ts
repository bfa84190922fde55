import * as z from 'zod'
import type { Outcome } from '../../service/contract/errors.js'
import { issuesOf, UNTIL_FIRST } from '../../service/contract/first-faults.js'
import { secretFields } from '../../service/contract/secrets.js'
import type { AnyTableDefinition, DataFault } from '../../service/resources/shared/table.js'
import { tables } from '../../service/resources/tables.js'
import { none } from '../../support/freeze.js'
import { DEEPEST, PROTO, pathWhere, show, valueAt } from '../../support/json.js'
import { findRepeatedKeys } from '../../support/json-fault.js'
import { didYouMean } from '../../support/nearest.js'
import { FAULTS_TOLD, LISTED, listFaults } from '../../support/text.js'
import type { MockError } from '../errors/mock-errors.js'

type ShapeIssue = z.core.$ZodIssue

/** All errors in data that doesn't match a schema. */
interface GivenFaults {
  faults: DataFault[]
  issues: readonly ShapeIssue[]
}

/** The errors in seed data. */
export class FaultList {
  readonly #most: number
  readonly told: DataFault[] = []
  count = 0

  constructor(most = FAULTS_TOLD) {
    this.#most = most
  }

  /** Adds an error, with a description if it is among the first. */
  add(describe: () => DataFault): void {
    if (this.count < this.#most) this.told.push(describe())
    this.count++
  }

  addAll(faults: Iterable<DataFault>): void {
    for (const fault of faults) this.add(() => fault)
  }
}

/** Checks seed data. Its errors are in plain words and suggest known names. */
export function checkGiven<Data>(
  schema: z.ZodType<Data>,
  given: unknown,
  levels = DEEPEST,
): Outcome<Data, GivenFaults> {
  const unfit = structureFault(given, levels)
  if (unfit !== undefined) return { failure: { faults: [unfit], issues: [] } }
  const parsed = z.safeParse(schema, given, UNTIL_FIRST)
  if (parsed.success) return { data: parsed.data }
  const found = issuesOf(schema, given, { error: suggestingKeys() })
  const issues = found.flatMap((issue) => chosenIssues(issue, given))
  const faults = issues.slice(0, FAULTS_TOLD).map((issue) => describeIssue(issue, given))
  return { failure: { faults, issues } }
}

/** The path steps that a message about nesting shows. */
const STEPS_TOLD = 6

/** The place of nesting that would overflow the stack, or of a forbidden field. */
export function structureFault(given: unknown, levels = DEEPEST): DataFault | undefined {
  const isUnfit = (inner: object) => Object.hasOwn(inner, PROTO) || inner instanceof Map || inner instanceof Set
  const path = pathWhere(given, (inner, left) => left === 0 || isUnfit(inner), levels)
  if (path === undefined) return undefined
  if (!Object.hasOwn(Object(valueAt(given, path)), PROTO) && path.length < levels) {
    return { path: jsonPath(path), message: 'must be a plain object or an array, but is a Map or a Set' }
  }
  if (path.length >= levels) {
    return { path: jsonPath(path.slice(0, STEPS_TOLD)), message: `is nested deeper than ${levels} levels` }
  }
  const message = 'is a reserved name; put a record with this name into a list'
  return { path: jsonPath([...path, PROTO]), message }
}

/** Sentences without full stops about keys that an object of a JSON text has twice, each with its place and both lines. */
export function repeatedKeys(text: string): string[] {
  return findRepeatedKeys(text, FAULTS_TOLD).map(({ path, lines: [first, second] }) => {
    const place = first === second ? `line ${first}` : `lines ${first} and ${second}`
    return `${jsonPath(path)} is there twice, in ${place}`
  })
}

/** Data that matches a schema. Throws the error that the function creates from the list of errors. */
export function expectGiven<Data>(
  schema: z.ZodType<Data>,
  given: unknown,
  wrong: (list: string, faults: readonly DataFault[]) => MockError,
  levels = DEEPEST,
): Data {
  const { data, failure } = checkGiven(schema, given, levels)
  if (failure === undefined) return data
  const { faults, issues } = failure
  throw wrong(listFaults(faults, Math.max(faults.length, issues.length)), faults)
}

/** Checks options. They can contain anything, even cycles, so only fields of the schema are read. */
export function checkOptions<Options>(
  schema: z.ZodType<Options>,
  given: unknown,
): Outcome<Options, { faults: DataFault[]; expected: string }> {
  const parsed = schema.safeParse(given, { error: suggestingKeys() })
  if (parsed.success) return { data: parsed.data }
  const issues = parsed.error.issues.flatMap((issue) => chosenIssues(issue, given))
  const expected = issues.map((issue) => expectation(issue) + meant(issue, valueAt(given, issue.path)))
  return { failure: { faults: issues.map((issue) => describeIssue(issue, given)), expected: expected.join('; ') } }
}

/** A schema error in words: its place, and the expected value. */
function describeIssue(issue: ShapeIssue, given: unknown): DataFault {
  const path = jsonPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return { path, message: isDefault(issue) ? unknownKeys(issue.keys, []) : issue.message }
  }
  const found = valueAt(given, issue.path)
  if (found === undefined && issue.path.length > 0)
    return { path, message: issue.code === 'custom' ? issue.message : 'is required' }
  const expected = expectation(issue)
  // A message that is a full sentence needs no addition.
  if (/[.?!]$/.test(expected)) return { path, message: expected }
  if (isSecretAt(issue.path)) return { path, message: expected }
  return { path, message: `${expected}, but is ${show(found)}${meant(issue, found)}${formFor(issue, found)}` }
}

/** The field that a text in place of an object in these lists probably is. */
const MAIN_FIELDS: ReadonlyMap<PropertyKey | undefined, string> = new Map(
  Object.entries({
    features: 'name',
    environments: 'name',
    strategies: 'name',
    variants: 'name',
    contextFields: 'name',
    segments: 'name',
    dependencies: 'feature',
    legalValues: 'value',
    projects: 'id',
    users: 'username',
  }),
)

/** `: "name": "x"`, the field with the name of a record of this list. Empty if the list is not known by such a field. */
export function fieldIn(list: string, name: string): string {
  const field = MAIN_FIELDS.get(list)
  return field === undefined ? '' : `: "${field}": ${show(name)}`
}

/** The form of a record, if only its name or its state is given. */
function formFor(issue: ShapeIssue, found: unknown): string {
  const [list, key] = issue.path.slice(-2)
  const field = MAIN_FIELDS.get(list)
  if (issue.code !== 'invalid_type' || issue.expected !== 'object' || field === undefined) return ''
  if (typeof found === 'string' && typeof key === 'number') return `: write { "${field}": ${show(found)} }`
  const isSwitch = typeof found === 'boolean' && (list === 'features' || list === 'environments')
  return isSwitch && typeof key === 'string' ? `: write { "name": ${show(key)}, "enabled": ${found} }` : ''
}

/** Whether the key of a table's records is marked as secret. */
export function hasSecretKey(table: string): boolean {
  const fields = secretFieldsOf(table)
  return (
    fields.length > 0 &&
    fields.includes(String(definitions.get(table)?.key(Object.fromEntries(fields.map((name) => [name, name])))))
  )
}

const definitions: ReadonlyMap<string, AnyTableDefinition> = new Map(Object.entries(tables))

/** The fields that a table marks as secret, in its records or in their seed data. */
export function secretFieldsOf(table: string): readonly string[] {
  const definition = definitions.get(table)
  return definition === undefined ? none : [...secretFields(definition.record), ...secretFields(definition.fixture)]
}

/** Whether the value at a place is secret, or a whole record with secrets. */
function isSecretAt(steps: readonly PropertyKey[]): boolean {
  const at = steps.findIndex((step) => definitions.has(String(step)))
  const fields = secretFieldsOf(String(steps[at]))
  const within = steps.slice(at + 2)
  const isRecord = within.length === 0 && steps.length > at + 1
  return fields.length > 0 && (isRecord || within.some((step) => fields.includes(String(step))))
}

/** The maximum known names to compare for a suggestion: comparing takes time. */
const MOST_COMPARED = 1000

/** ` Did you mean "x"?` for names of records, which can be very many. */
export function meantRecord(found: string, known: readonly string[]): string {
  return known.length > MOST_COMPARED ? '' : didYouMean(found, known)
}

/** The number of known names up to which a message lists them. */
const FEW = 8

export function danglingReference(
  path: string,
  what: string,
  found: string | number,
  known: readonly (string | number)[],
): DataFault {
  const hint = typeof found === 'number' ? '' : meantRecord(found, known.map(String))
  const isShort = typeof found === 'string' && hint === '' && known.length > 0 && known.length <= FEW
  const list = isShort ? `; there ${known.length === 1 ? 'is' : 'are'} ${known.map(show).join(', ')}` : ''
  return { path, message: `must be ${what} that exists, but is ${show(found)}${sentenceOf(hint)}${list}` }
}

/** `$.features[0].name`. Secret keys of records appear as `[redacted]`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  const isSecret = (i: number) => typeof path[i] === 'string' && hasSecretKey(String(path[i - 1]))
  return path.reduce<string>((text, key, i) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return `${text}.${isSecret(i) ? '[redacted]' : String(key)}`
  }, '$')
}

/** The issues of the intended shape, where two are allowed: a list, or an object in its place. */
function chosenIssues(issue: ShapeIssue, given: unknown): ShapeIssue[] {
  if (issue.code !== 'invalid_union' || !isDefault(issue)) return [issue]
  const fits = (issues: readonly ShapeIssue[]) =>
    !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)
  const bestMatch = issue.errors.find(fits)
  if (bestMatch === undefined) return [issue]
  return bestMatch.flatMap((one) => chosenIssues({ ...one, path: [...issue.path, ...one.path] }, given))
}

/** Whether a message is zod's own, because the schema has none. */
function isDefault({ message }: ShapeIssue): boolean {
  return /^(Invalid|Too |Unrecognized)/.test(message)
}

/** Messages for unknown keys with similar known keys, for errors with a description. */
function suggestingKeys(): z.core.$ZodErrorMap {
  let left = FAULTS_TOLD
  return (issue) => {
    if (issue.code !== 'unrecognized_keys' || !(issue.inst instanceof z.ZodObject) || left-- <= 0) return undefined
    return unknownKeys(issue.keys, Object.keys(issue.inst.shape))
  }
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const shown = keys.slice(0, LISTED).map((key) => `"${key}" is unknown${sentenceOf(didYouMean(key, known))}`)
  return [...shown, ...(keys.length > LISTED ? [`and ${keys.length - LISTED} more`] : [])].join('; ')
}

function sentenceOf(hint: string): string {
  return hint && `.${hint}`
}

function meant(issue: ShapeIssue, found: unknown): string {
  if (issue.code !== 'invalid_value' || typeof found !== 'string') return ''
  return sentenceOf(didYouMean(found, issue.values.map(String)))
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
  Function: 'a function',
}

function expectation(issue: ShapeIssue): string {
  if (issue.code === 'invalid_type' && isDefault(issue)) return `must be ${TYPES[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value' && isDefault(issue)) {
    if (issue.values.length > LISTED) return `must be one of ${issue.values.length} names`
    return `must be ${issue.values.map((value) => show(value)).join(' or ')}`
  }
  if (!isDefault(issue)) return issue.message
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => message).join('; ')
  if (issue.code === 'invalid_union') return `must be ${shapesOf(issue).join(' or ')}`
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  return 'is not valid'
}

function shapesOf({ errors }: Extract<ShapeIssue, { code: 'invalid_union' }>): string[] {
  const shapes = errors
    .flat()
    .flatMap((one) => (one.code === 'invalid_type' ? [TYPES[one.expected] ?? one.expected] : []))
  return shapes.length === 0 ? ['of another form'] : [...new Set(shapes)]
}
