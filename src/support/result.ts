/** What a rule or an operation comes to: a value, or the reason why not. Throwing is for bugs. */
export type Result<Value, Failure> = { ok: true; value: Value } | { ok: false; failure: Failure }

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value }
}

export function fail<Failure>(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure }
}
