import * as z from 'zod'
import { badData, type Failure } from '../../contract/errors.js'

const LONGEST = 100

/** A name of a feature. What goes beyond its type is marked as a rule, which a profile may leave to the operation. */
export const featureNameSchema = z
  .string()
  .check(({ value, issues }) => {
    const message = faultOf(value)
    if (message !== undefined) issues.push({ code: 'custom', message, input: value, params: { rule: true } })
  })
  .meta({ minLength: 1, maxLength: LONGEST })

/** A refusal if a name breaks the rule: 1 to 100 characters that a URL carries as they are. */
export function checkName(name: string): Failure | undefined {
  const fault = faultOf(name)
  return fault === undefined
    ? undefined
    : badData(`The property "name" ${fault}; ${JSON.stringify(name)} was sent.`, '/body/name')
}

function faultOf(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if (!isUrlFriendly(name)) {
    return "must be made of characters that a URL carries as they are: letters, digits, - _ . ! ~ * ' ( )"
  }
  return name.length > LONGEST ? `must not be longer than ${LONGEST} characters` : undefined
}

function isUrlFriendly(name: string): boolean {
  try {
    return name === encodeURIComponent(name) && name !== '.' && name !== '..'
  } catch {
    return false
  }
}
