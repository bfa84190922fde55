import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Caller, OperationContext } from '../../shared/context.js'
import { inMaintenance } from '../maintenance/lookup.js'
import { INSTANCE_ID, SERVICE_VERSION } from '../statistics/present.js'
import { resourceLimits, uiFlags } from './flags.js'
import type { UiConfig } from './schema.js'

/** What the instance is and can do. */
export function presentUiConfig({ tables, caller, baseUrl }: OperationContext): UiConfig {
  return {
    environment: 'Open Source',
    flags: uiFlags,
    version: SERVICE_VERSION,
    emailEnabled: false,
    unleashUrl: baseUrl,
    baseUriPath: new URL(baseUrl).pathname.replace(/\/$/, ''),
    authenticationType: 'open-source',
    frontendApiOrigins: ['*'],
    versionInfo: {
      current: { oss: SERVICE_VERSION, enterprise: '' },
      latest: {},
      isLatest: true,
      instanceId: INSTANCE_ID,
    },
    prometheusAPIAvailable: false,
    impactMetrics: 'disabled',
    resourceLimits,
    disablePasswordAuth: false,
    maintenanceMode: inMaintenance(tables),
    maxSessionsCount: 0,
    unleashContext: contextOf(caller),
    storiesPageEnabled: false,
  }
}

/** By what the user interface's own switches tell users apart. */
function contextOf({ user, login }: Caller): UiConfig['unleashContext'] {
  if (user === undefined) return {}
  return {
    ...(user.email === null ? {} : { email: hash(user.email) }),
    userId: user.id,
    ...(login === undefined ? {} : { sessionId: hash(login) }),
  }
}

function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
