import { RE2JS } from 're2js'

/** A regular expression run by RE2, Unleash's engine, in a time that grows linearly with the text. */
interface LinearExpression {
  /** Whether the expression matches a part of the text. */
  test(text: string): boolean
  /** The steps of a test; zero if the text is too long for a test. */
  stepsFor(text: string): number
  /** Whether the expression matches the whole text. */
  testWhole(text: string): boolean
}

interface ExpressionOptions {
  caseInsensitive?: boolean
  /** The expression's notation. Default: `re2`. With `javascript`, constructs that RE2 lacks are rejected. */
  syntax?: 're2' | 'javascript'
}

/** The maximum size of an expression, by `expressionSize`. */
export const LARGEST_EXPRESSION = 10_000

/** The maximum steps of one test: the size of the compiled expression, times the length of the text. */
const MOST_STEPS = 1_000_000

/**
 * Compiles an expression. Undefined if it is invalid or too large. An expression never matches a text that takes more
 * than a million steps.
 */
export function compileExpression(
  source: string,
  { caseInsensitive = false, syntax = 're2' }: ExpressionOptions = {},
): LinearExpression | undefined {
  const key = `${caseInsensitive ? 'i' : ''}/${syntax}/${source}`
  const known = compiled.get(key)
  if (known !== undefined || expressionSize(source) > LARGEST_EXPRESSION) return known
  try {
    const pattern = syntax === 're2' ? source : RE2JS.translateRegExp(source)
    const expression = bounded(RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0))
    compiled.set(key, expression)
    return expression
  } catch {
    return undefined
  }
}

/** Expressions in use, so that evaluating a feature again doesn't compile them again. */
const compiled = new Map<string, LinearExpression>()

/** The steps after which all compiled expressions are dropped. Each caches its engine's states, which would fill the memory. */
const STEPS_REMEMBERED = 10 * MOST_STEPS
let remembered = 0

function remember(steps: number): void {
  remembered += steps
  if (remembered <= STEPS_REMEMBERED) return
  compiled.clear()
  remembered = 0
}

/** The memory of a compiled instruction, in steps. */
const INSTRUCTION_STEPS = 100

function bounded(engine: RE2JS): LinearExpression {
  const size = engine.programSize()
  remember(size * INSTRUCTION_STEPS)
  const stepsFor = (text: string) => size * (text.length + 1)
  const mayTest = (text: string) => {
    const steps = stepsFor(text)
    if (steps > MOST_STEPS) return false
    remember(steps)
    return true
  }
  return {
    stepsFor: (text) => (stepsFor(text) > MOST_STEPS ? 0 : stepsFor(text)),
    test: (text) => mayTest(text) && engine.test(text),
    testWhole: (text) => mayTest(text) && engine.testExact(text),
  }
}

/** The parts of an expression. Every alternative consumes its whole match, so parsing is linear. */
const PARTS =
  /(?<property>\\[pP](?:\{[^}]*\}?|.)?)|\\Q(?<quoted>[^\\]*(?:\\(?!E)[^\\]*)*)(?:\\E)?|\\.?|(?<set>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?)|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gsu

/** The cost of a class of Unicode characters, in plain characters. */
const PROPERTY_SIZE = 20

/**
 * The number of characters in an expression with all repetitions written out: `(ab){3}` is `(ab)(ab)(ab)`. The cost of
 * compiling grows with this number.
 */
export function expressionSize(source: string): number {
  const outer: number[] = []
  let size = 0
  let last = 0
  const add = (once: number, repeated = once) => {
    size += once
    last = repeated
  }
  for (const { 0: part, groups = {} } of source.matchAll(PARTS)) {
    const { property, quoted, set, least, most } = groups
    if (part === '(') {
      outer.push(size)
      size = 1
    } else if (part === ')') {
      const inner = size
      size = outer.pop() ?? 0
      add(inner)
    } else if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0))
      add(last * (times - 1), last * times)
    } else if (property !== undefined) add(PROPERTY_SIZE, 1)
    else if (set !== undefined) add(set.length + (set.match(/\\p/gi)?.length ?? 0) * PROPERTY_SIZE, 1)
    else add(quoted === undefined ? 1 : quoted.length + 1)
  }
  return outer.reduce((sum, before) => sum + before, size)
}
