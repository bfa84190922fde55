import * as z from 'zod'
import { checkOptions } from '../../engine/state/state-fault.js'
import { UsageError } from '../files/usage-error.js'

/** The conversion of a flag's or a variable's text into the value of an option. */
export interface OptionText<Value = unknown> {
  /** The schema of the value: that of the option in code. */
  schema: z.ZodType<Value>
  /** Converts the text for the schema, if it doesn't take text. Unreadable text stays unchanged. */
  decode?: (text: string) => unknown
  /** The text of a value, if it looks different in code. */
  example?: string
}

/** The value of an option. Throws a `UsageError` with its source and the expected value. */
export function readOption(source: string, given: unknown, option: OptionText): unknown {
  const { schema, decode = (text) => text, example } = option
  const text = String(given)
  const { data, failure } = checkOptions(schema, decode(text))
  if (failure === undefined) return data
  const form = example === undefined ? '' : ` Write it as ${example}.`
  // The form of the value in code is of no use here.
  const expected = example === undefined ? failure.expected : failure.expected.replace(/, such as \{.*\}/, '')
  throw new UsageError(`${source} can't be "${text}".`, `It ${expected.replace(/[^?]$/, '$&.')}${form}`)
}

/** `'a, b'` → `['a', 'b']` */
export function list(given: unknown): string[] {
  return String(given)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

export const text: OptionText<string> = { schema: z.string().regex(/\S/, 'must not be empty') }

const ANSWERS: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false,
}

export const yesOrNo: OptionText = { schema: z.boolean(), decode: (text) => ANSWERS[text.toLowerCase()] ?? text }

/** `'200'` → `200` */
export function decodeNumber(text: string): unknown {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** `'200'` → `200`, `'100-500'` → `{ min: 100, max: 500 }` */
export function decodeRange(text: string): unknown {
  const [min, max, ...rest] = text.split('-').map(decodeNumber)
  return max === undefined ? min : rest.length === 0 ? { min, max } : text
}

/** `'/proxy=/api/frontend,/edge=/api'` → `{ '/proxy': '/api/frontend', '/edge': '/api' }` */
export function decodePaths(text: string): unknown {
  return Object.fromEntries(list(text).map((pair) => [...pair.split('=', 2), ''].slice(0, 2)))
}
