import { isObject } from './json.js'

export type AnyFunction = (...args: never[]) => unknown

/** V8's additions to `Error`. Other engines can lack them. */
interface StackTraces {
  readonly prototype: Error
  stackTraceLimit?: number
  captureStackTrace?(error: object, called: AnyFunction): void
}

const traces: StackTraces = Error

/** Makes the stack of an error start at the line that called a function. */
export function startStackAtCallOf(called: AnyFunction, error: Error): void {
  traces.captureStackTrace?.(error, called)
}

/** Runs a function without stacks for new errors: mapping a stack to the sources takes long. */
export function withoutStacks<Value>(act: () => Value): Value {
  const { stackTraceLimit } = traces
  traces.stackTraceLimit = 0
  try {
    return act()
  } finally {
    if (stackTraceLimit === undefined) delete traces.stackTraceLimit
    else traces.stackTraceLimit = stackTraceLimit
  }
}

/** The code of a system error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return isObject(error) && typeof error.code === 'string' ? error.code : undefined
}

/** The error's message, or any other thrown value as text. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether a text would have become longer than V8 allows: about 536 million characters. */
export function isTextTooLong(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length'
}

/** The result of a function, or undefined if it throws. */
export function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
