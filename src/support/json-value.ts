/** Whether a value can be sent as JSON, with nothing lost silently: no functions, symbols, BigInts or cycles in it. */
export function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === 'function' || typeof inner === 'symbol') throw new TypeError('not JSON')
      return inner
    })
    return true
  } catch {
    return false
  }
}
