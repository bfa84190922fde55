/** A function in steps: it yields each promise that it waits for, and goes on with its value. */
export type Steps<Result> = Generator<Promise<unknown>, Result>

/** The value of a step, at once unless it has to be waited for: `const body = yield* waited(read(request))`. */
export function* waited<Value>(value: Value | Promise<Value>): Steps<Value> {
  return value instanceof Promise ? ((yield value) as Value) : value
}

/** Runs a function in steps to its end. Returns a promise only if a step had to wait: promises cost time. */
export function runSteps<Result>(steps: Steps<Result>, step = steps.next()): Result | Promise<Result> {
  if (step.done) return step.value
  return step.value.then(
    (value) => runSteps(steps, steps.next(value)),
    (error: unknown) => runSteps(steps, steps.throw(error)),
  )
}
