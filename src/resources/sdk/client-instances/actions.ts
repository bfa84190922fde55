import type { OperationContext } from '../../shared/context.js'
import { sdkScope } from '../client-features/lookup.js'
import { environmentOf } from '../client-features/rules.js'
import { type ClientInstanceRecord, clientInstanceKey } from './schema.js'

/** What an SDK says of itself. What it does not say stays as it is known. */
interface Introduction {
  appName: string
  instanceId?: string | undefined
  environment?: string | undefined
  sdkVersion?: unknown
  strategies?: unknown
}

/** Remembers that an SDK was heard of now. */
export function rememberInstance({ tables, caller, now }: OperationContext, said: Introduction): void {
  const at = now.toISOString()
  const scope = sdkScope(caller)
  const key = {
    appName: said.appName,
    instanceId: said.instanceId || 'default',
    environment: said.environment ?? environmentOf(scope),
  }
  const known = tables.clientInstances.get(clientInstanceKey(key))
  const instance: ClientInstanceRecord = {
    ...key,
    projects: [...scope.projects],
    sdkVersion: typeof said.sdkVersion === 'string' ? said.sdkVersion : (known?.sdkVersion ?? null),
    strategies: Array.isArray(said.strategies) ? said.strategies.map(String) : [...(known?.strategies ?? [])],
    createdAt: known?.createdAt ?? at,
    lastSeenAt: at,
  }
  if (known === undefined) tables.clientInstances.insert(instance)
  else tables.clientInstances.replace(instance)
}
