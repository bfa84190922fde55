/**
 * Goes on with a value, at once if it is there and when it comes if it is promised. Most requests need nothing that
 * has to be waited for; to await all the same, at each of six steps, is a fifth of what they cost.
 */
export function andThen<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
