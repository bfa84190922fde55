import * as z from 'zod'
import { badData, type Failure } from '../../contract/errors.js'
import { ruledText } from './rule.js'

/** The rule for names that stand in paths: how it is part of a schema, and how an operation tests it. */
export interface NameRule {
  schema: z.ZodType<string>
  /** A refusal of a name that breaks the rule. */
  check(name: string): Failure | undefined
}

/**
 * A rule for names: characters that a URL carries as they are, so and so many. What goes beyond the type is marked as
 * a rule in the schema, which a profile may leave to the operation.
 */
export function nameRule({ shortest, longest }: { shortest: number; longest: number }): NameRule {
  const faultOf = (name: string): string | undefined => {
    if (name === '') return 'must not be empty'
    if (!isUrlFriendly(name)) {
      return "must be made of characters that a URL carries as they are: letters, digits, - _ . ! ~ * ' ( )"
    }
    if (name.length < shortest) return `must not be shorter than ${shortest} characters`
    return name.length > longest ? `must not be longer than ${longest} characters` : undefined
  }
  return {
    schema: ruledText(faultOf).meta({ minLength: shortest, maxLength: longest }),
    check(name) {
      const fault = faultOf(name)
      return fault === undefined
        ? undefined
        : badData(`The property "name" ${fault}; ${JSON.stringify(name)} was sent.`, '/body/name')
    },
  }
}

function isUrlFriendly(name: string): boolean {
  try {
    return name === encodeURIComponent(name) && name !== '.' && name !== '..'
  } catch {
    return false
  }
}

/** A name alone, as it is sent to be tested. */
export const nameSchema = z.strictObject({ name: z.string() }).meta({ id: 'nameSchema' })
