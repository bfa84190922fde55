import type { OperationContext } from '../../shared/context.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { type ClientInstanceRecord, clientInstanceKey } from './schema.js'

/** What an SDK reports about itself. Missing fields keep their known values. */
interface Registration {
  appName: string
  instanceId?: string | undefined
  environment?: string | undefined
  sdkVersion?: unknown
  strategies?: unknown
}

/** Records that an SDK has been seen now. */
export function recordInstance({ tables, caller, now }: OperationContext, sent: Registration): void {
  const at = now.toISOString()
  const scope = sdkScope(caller)
  const key = {
    appName: sent.appName,
    instanceId: sent.instanceId || 'default',
    environment: sent.environment ?? environmentOf(scope),
  }
  const known = tables.clientInstances.get(clientInstanceKey(key))
  const instance: ClientInstanceRecord = {
    ...key,
    projects: [...scope.projects],
    sdkVersion: typeof sent.sdkVersion === 'string' ? sent.sdkVersion : (known?.sdkVersion ?? null),
    strategies: Array.isArray(sent.strategies) ? sent.strategies.map(String) : [...(known?.strategies ?? [])],
    createdAt: known?.createdAt ?? at,
    lastSeenAt: at,
  }
  tables.clientInstances.replace(instance)
}
