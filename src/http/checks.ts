import { type Detail, type Failure, noAccess } from '../contract/errors.js'
import type { CheckName } from '../contract/profile.js'
import { inMaintenance } from '../resources/instance/maintenance/lookup.js'
import { maintenanceFailure } from '../resources/instance/maintenance/rules.js'
import { identifyFor } from '../resources/people/callers/lookup.js'
import type { Where } from '../resources/shared/context.js'
import { isObject } from '../support/json-path.js'
import { contentType, encoding, size, syntax } from './body-checks.js'
import type { Check, Exchange } from './exchange.js'
import { schema } from './schema-check.js'

/** The methods that maintenance mode stops. */
const STOPPED = ['POST', 'PUT', 'DELETE']

/** The checks by name. Their order is the profile's; the first refusal answers. */
const checks: Readonly<Record<CheckName, Check>> = {
  authentication(exchange) {
    const { request, operation, world, profile } = exchange
    const { tables } = world.store
    const credentials = { headers: request.headers, tables, now: world.clock.now(), profile }
    const caller = identifyFor(operation.access, credentials)
    if (!caller.ok) return caller.failure
    exchange.caller = caller.value
    return undefined
  },

  maintenance({ operation: { method, access, worksInMaintenance }, world }) {
    const changes = STOPPED.includes(method) && access === 'admin' && worksInMaintenance === undefined
    return changes && inMaintenance(world.store.tables) ? maintenanceFailure : undefined
  },

  permission(exchange) {
    const { operation, caller } = exchange
    const { permission } = operation
    if (permission === undefined) return undefined
    const place = placeOf(exchange)
    return [permission].flat().some((one) => caller.may(one, place)) ? undefined : noAccess(permission)
  },

  contentType,
  encoding,
  size,

  parameters(exchange) {
    const details: Detail[] = []
    for (const name in exchange.rawParams) {
      const raw = exchange.rawParams[name] ?? ''
      const value = decoded(raw)
      if (value !== undefined) exchange.params[name] = value
      else details.push({ message: `"${raw}" is not well-formed percent-encoding.`, path: `/params/${name}` })
    }
    const [first] = details
    return first === undefined
      ? undefined
      : { kind: 'badData', message: `The path can't be read: ${first.message}`, details }
  },

  syntax,
  schema,
}

/** Where a request acts: in the project that its path names, or its feature's, and the environment of path or body. */
function placeOf({ rawParams: { projectId, featureName, environment }, body, world }: Exchange): Where {
  const sent = isObject(body) ? body.environment : undefined
  const named = environment === undefined ? undefined : decoded(environment)
  const feature = featureName === undefined ? undefined : world.store.tables.features.get(decoded(featureName) ?? '')
  return {
    project: projectId === undefined ? feature?.project : decoded(projectId),
    environment: named ?? (sent ? asText(sent) : undefined),
  }
}

/** What a body says of an environment: a name or, where the service would not read it as one, something else. */
function asText(sent: unknown): string {
  return typeof sent === 'string' ? sent : JSON.stringify(sent)
}

function decoded(raw: string): string | undefined {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined
  }
}

/** Runs the checks in the profile's order; the first refusal ends it. */
export function runChecks(exchange: Exchange, from = 0): Failure | undefined | Promise<Failure | undefined> {
  const order = exchange.profile.checks
  for (let position = from; position < order.length; position++) {
    const outcome = checks[order[position] as CheckName](exchange)
    if (outcome instanceof Promise) return outcome.then((failure) => failure ?? runChecks(exchange, position + 1))
    if (outcome !== undefined) return outcome
  }
  return undefined
}
