import { intoCalendar } from '../../../support/calendar.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { INSTANCE_KEPT_FOR, INSTANCES_KEPT } from './rules.js'
import { type ClientInstanceRecord, clientInstanceKey } from './schema.js'

/** What an SDK reports about itself. Missing fields keep their known values. */
interface Registration {
  appName: string
  instanceId?: string | undefined
  environment?: string | undefined
  sdkVersion?: unknown
  strategies?: unknown
}

/** Records that SDKs have been seen now. */
export function recordInstances(context: OperationContext, sent: readonly Registration[]): void {
  const { clientInstances } = context.tables
  const before = clientInstances.size
  for (const registration of sent) clientInstances.replace(seenInstance(context, registration))
  if (clientInstances.size > before) forgetInstances(clientInstances, context.now)
}

function seenInstance({ tables, caller, now }: OperationContext, sent: Registration): ClientInstanceRecord {
  const at = now.toISOString()
  const scope = sdkScope(caller)
  const key = {
    appName: sent.appName,
    instanceId: sent.instanceId || 'default',
    environment: sent.environment ?? environmentOf(scope),
  }
  const known = tables.clientInstances.get(clientInstanceKey(key))
  return {
    ...key,
    projects: [...scope.projects],
    sdkVersion: typeof sent.sdkVersion === 'string' ? sent.sdkVersion : (known?.sdkVersion ?? null),
    strategies: Array.isArray(sent.strategies) ? sent.strategies.map(String) : [...(known?.strategies ?? [])],
    createdAt: known?.createdAt ?? at,
    lastSeenAt: at,
  }
}

/** Forgets the SDKs that have not been seen for long and, if there are too many, those not seen for longest. */
function forgetInstances(clientInstances: Tables['clientInstances'], now: Date): void {
  const since = toInstant(intoCalendar(now.getTime() - INSTANCE_KEPT_FOR))
  const recent = clientInstances.list().filter((instance) => {
    if (instance.lastSeenAt < since) clientInstances.remove(clientInstanceKey(instance))
    return instance.lastSeenAt >= since
  })
  if (recent.length <= INSTANCES_KEPT) return
  const longestUnseen = recent.toSorted((one, other) => (one.lastSeenAt < other.lastSeenAt ? -1 : 1))
  for (const instance of longestUnseen.slice(0, -INSTANCES_KEPT)) clientInstances.remove(clientInstanceKey(instance))
}
