import * as z from 'zod'

/**
 * A text under a rule that goes beyond its type: what is wrong with it, or nothing. The issue is marked as a rule,
 * which a profile may leave to the operation.
 */
export function ruledText(faultOf: (text: string) => string | undefined) {
  return z.string().check(({ value, issues }) => {
    const message = faultOf(value)
    if (message !== undefined) issues.push({ code: 'custom', message, input: value, params: { rule: true } })
  })
}
