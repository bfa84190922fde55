import { RE2JS } from 're2js'

/** A regular expression by RE2, the service's engine. The time that it takes grows linearly with the text. */
interface LinearExpression {
  /** Whether it matches a part of the text. */
  test(text: string): boolean
  /** The steps that a test takes: none if the text is too long for it. */
  stepsFor(text: string): number
  /** Whether it matches the text from its beginning to its end. */
  testWhole(text: string): boolean
}

interface ExpressionOptions {
  caseInsensitive?: boolean
  /** The notation that it is written in. Default: `re2`. Of `javascript`, what RE2 can't do is rejected. */
  syntax?: 're2' | 'javascript'
}

/** The largest expression that is compiled, by `expressionSize`. */
export const LARGEST_EXPRESSION = 10_000

/** Steps that one test may take: the size of the compiled expression, times the length of the text. */
const MOST_STEPS = 1_000_000

/**
 * Compiles an expression. Undefined if it is not valid, or too large. An expression never matches a text for which it
 * would need more than a million steps.
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

/** Expressions in use, so that evaluating a feature again does not compile them again. */
const compiled = new Map<string, LinearExpression>()

/** Steps after which all of these are dropped. Each keeps the states that its engine has found: they would fill the memory. */
const STEPS_REMEMBERED = 10 * MOST_STEPS
let remembered = 0

function remember(steps: number): void {
  remembered += steps
  if (remembered <= STEPS_REMEMBERED) return
  compiled.clear()
  remembered = 0
}

/** What an instruction of a compiled expression takes in memory, in steps. */
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

/** What an expression is made of. Every alternative takes all that it has read, so reading is linear. */
const PARTS =
  /(?<property>\\[pP](?:\{[^}]*\}?|.)?)|\\Q(?<quoted>[^\\]*(?:\\(?!E)[^\\]*)*)(?:\\E)?|\\.?|(?<set>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?)|\{(?<least>\d+)(?:,(?<most>\d*))?\}|./gsu

/** What a class of Unicode characters costs, in plain characters. */
const PROPERTY_SIZE = 20

/**
 * The number of characters in an expression with all repetitions written out: `(ab){3}` is `(ab)(ab)(ab)`. What it costs to
 * compile the expression grows with that.
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
