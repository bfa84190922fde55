import { type Detail, type Failure, noAccess, reject, rejectionOf } from '../contract/errors.js'
import { stopsInMaintenance } from '../contract/operation.js'
import type { Permission } from '../contract/permissions.js'
import type { CheckName } from '../contract/profile.js'
import { maintenanceFailure } from '../resources/instance/maintenance.js'
import { inMaintenance } from '../resources/instance/maintenance.operations.js'
import type { PermissionScope } from '../resources/shared/context.js'
import { isObject } from '../support/json.js'
import { contentType, encoding, size, syntax } from './body-checks.js'
import type { Check, Exchange } from './exchange.js'
import { identifyIn } from './login.js'
import { decodeSegment } from './routes.js'
import { schema } from './schema-check.js'

/** The checks by name. Their order is the profile's. */
const checks: Readonly<Record<CheckName, Check>> = {
  authentication(exchange) {
    const { request, checked, world, profile } = exchange
    exchange.caller = identifyIn(world, request.headers, checked.access, profile)
    return undefined
  },

  maintenance({ request, checked: { access, worksInMaintenance }, world }) {
    const isStopped = stopsInMaintenance({ method: request.method, access, worksInMaintenance })
    return isStopped && inMaintenance(world.data.tables) ? maintenanceFailure : undefined
  },

  permission(exchange) {
    const { checked, caller } = exchange
    const { permission } = checked
    if (permission === undefined) return undefined
    const scope = scopeOf(exchange)
    const may = (one: Permission) => caller.may(one, scope)
    const isAllowed = typeof permission === 'string' ? may(permission) : permission.some(may)
    return isAllowed ? undefined : noAccess(permission)
  },

  contentType,
  encoding,
  size,

  parameters(exchange) {
    const details: Detail[] = []
    for (const name in exchange.rawParams) {
      const raw = exchange.rawParams[name] ?? ''
      const value = decodeSegment(raw)
      if (value !== undefined) exchange.params[name] = value
      else details.push({ message: `"${raw}" is not valid percent-encoding.`, path: `/params/${name}` })
    }
    const [first] = details
    return first && { kind: 'badData', message: `The path can't be read: ${first.message}`, details }
  },

  syntax,
  schema,
}

/** Where a request acts: in the project of its path or of its feature, and in the environment of its path or body. */
export function scopeOf({ rawParams, body, world, profile }: Exchange): PermissionScope {
  const { projectId, featureName, environment } = rawParams
  const sent = profile.permissions.environmentFromBody && isObject(body) ? body.environment : undefined
  const feature =
    featureName === undefined ? undefined : world.data.tables.features.get(decodeSegment(featureName) ?? '')
  return {
    project: projectId === undefined ? feature?.project : decodeSegment(projectId),
    environment:
      (environment === undefined ? undefined : decodeSegment(environment)) ?? (sent ? asText(sent) : undefined),
  }
}

/** The environment that a body names. A value that isn't text can't be the name of one. */
function asText(sent: unknown): string {
  return typeof sent === 'string' ? sent : JSON.stringify(sent)
}

/** Runs the checks in the profile's order. Returns the first failure. */
export function runChecks(exchange: Exchange): Failure | undefined {
  return rejectionOf(() => {
    for (const name of exchange.profile.checks) reject(checks[name](exchange))
  })
}
