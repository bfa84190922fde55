import { isObject } from './json.js'

export type AnyFunction = (...args: never[]) => unknown

/** What V8 adds to `Error`. Other engines may lack it. */
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

/** Does something while new errors get no stack, which takes long where it is mapped to the sources. */
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

/** What an error says, or whatever else was thrown, as text. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
