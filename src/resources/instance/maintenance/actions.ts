import type { Frozen } from '../../../support/freeze.js'
import type { OperationContext } from '../../shared/context.js'
import { logEvent } from '../events/actions.js'
import type { SettingRecord } from './schema.js'

/** Stores a setting and logs it under its id in the service. */
export function saveSetting(context: OperationContext, id: string, setting: SettingRecord): void {
  const { settings } = context.tables
  const earlier = settings.get(setting.name)
  settings.replace(setting)
  const type = earlier === undefined ? 'setting-created' : 'setting-updated'
  const preData = earlier === undefined ? null : withoutName(earlier)
  logEvent(context, { type, data: { id, ...withoutName(setting) }, preData })
}

function withoutName({ name: _, ...value }: Frozen<SettingRecord>) {
  return value
}
