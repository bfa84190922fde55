import type { ZodType } from 'zod'
import { badData, type Detail, type Failure } from '../../contract/errors.js'
import { holdsSecrets } from '../../contract/secrets.js'
import { parseLarge } from '../../support/parse.js'
import { valuesByName } from '../body.js'
import type { Check, Exchange } from '../exchange.js'
import { operationQuery } from '../select.js'
import { coerce } from './coerce.js'
import { alternativesOf, describeIssues, firstIssue, fitsNone, type Issue, isRule, pointer } from './issues.js'

/** Whether query and body have the required shapes. */
export const schema: Check = (exchange) => {
  const { checked, request, world } = exchange
  const body = checked.bodyFor?.(world.data.tables) ?? checked.body
  return (
    integers(exchange) ??
    (checked.query && parseInto(exchange, 'query', checked.query, queryOf(request), '/query')) ??
    (body && parseInto(exchange, 'body', body, exchange.body, '/body'))
  )
}

/** Whether the parameters of the path that must be integers are. */
function integers({ checked, params }: Exchange): Failure | undefined {
  const wrong = checked.integers?.find((name) => !Number.isInteger(Number(params[name])))
  if (wrong === undefined) return undefined
  const path = `/params/${wrong}`
  return badData(`The parameter "${path}" must be an integer; ${JSON.stringify(params[wrong])} was sent.`, path)
}

/** The parameters of a query. One that is sent more than once, or whose name ends with `[]`, is a list. */
function queryOf(request: Pick<Request, 'url'>): Record<string, string | string[]> {
  const sent = operationQuery(request.url)
  if (sent === '') return {}
  const entries = [...valuesByName(new URLSearchParams(sent))].map(
    ([key, [first = '', ...more]]): [string, string | string[]] => {
      return key.endsWith('[]')
        ? [key.slice(0, -2), [first, ...more]]
        : [key, more.length > 0 ? [first, ...more] : first]
    },
  )
  return Object.fromEntries(entries)
}

function parseInto(
  exchange: Exchange,
  part: 'body' | 'query',
  shape: ZodType,
  sent: unknown,
  root: string,
): Failure | undefined {
  const { coerces, faults, tellsAlternatives, bareEnumPaths, leavesRules } = exchange.profile.schema
  const given = coerces ? coerce(shape, sent) : sent
  // What was meant to be a secret may stand anywhere.
  const quotes = !holdsSecrets(shape)
  const parsed = parseLarge(shape, given, leavesRules ? (issue) => !isRule(issue) : undefined)
  if (parsed.success) {
    exchange[part] = parsed.data
    return undefined
  }
  const { issues } = parsed
  if (issues.length === 0) {
    exchange[part] = given
    return undefined
  }
  const describe = (issue: Issue): Detail[] =>
    describeIssues(issue, given, { root, quotes }).map((detail) =>
      bareEnumPaths && issue.code === 'invalid_value' ? { ...detail, path: String(issue.path.at(-1)) } : detail,
    )
  const details = faults === 'all' ? issues.flatMap(describe) : firstFaults(firstIssue(issues, given))
  const message = `The ${part} is invalid: ${details.map((detail) => detail.message).join(' ')}`
  return { kind: 'badData', message, details }

  function firstFaults(first: Issue): Detail[] {
    if (!tellsAlternatives) return describe(first).slice(0, 1)
    const hasAlternatives = part === 'body' && exchange.checked.bodyHasAlternatives === true && first.path.length > 0
    const whole = hasAlternatives ? [fitsNone(root)] : []
    if (first.code !== 'invalid_union') return [...describe(first).slice(0, 1), ...whole]
    const ofEach = alternativesOf(first, given).flatMap((issue) => describe(issue).slice(0, 1))
    return [...ofEach, fitsNone(pointer(root, first.path)), ...whole]
  }
}
