import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { sha256Hex } from '../../../support/hash.js'
import { badData, notFound, reject } from '../../contract/errors.js'
import { SERVICE_VERSION } from '../../contract/profile.js'
import { secret } from '../../contract/secrets.js'
import { MOST_STRATEGIES } from '../flags/strategies.model.js'
import type { Caller, OperationContext } from '../shared/context.js'
import { object } from '../shared/object.js'
import { get, ok, operations, post } from '../shared/rows.js'
import { named, namedStrict } from '../shared/schema.js'
import { constraintLimits } from '../targeting/constraints.js'
import { segmentLimits } from '../targeting/segments.operations.js'
import { inMaintenance, saveSetting } from './maintenance.operations.js'
import { INSTANCE_ID } from './statistics.js'
import fixed from './ui-config.json' with { type: 'json' }

const featureSwitchSchema = object(() => ({ name: z.string(), enabled: z.boolean(), feature_enabled: z.boolean() }))

/** The configuration of the instance, which the user interface requests first. */
const uiConfigSchema = named('uiConfigSchema', () => ({
  environment: z.string(),
  flags: z.record(z.string(), z.union([z.boolean(), featureSwitchSchema])),
  version: z.string(),
  emailEnabled: z.boolean(),
  unleashUrl: z.string(),
  baseUriPath: z.string(),
  authenticationType: z.string(),
  frontendApiOrigins: z.array(z.string()),
  versionInfo: z.object({
    current: z.object({ oss: z.string(), enterprise: z.string() }),
    latest: z.object({}),
    isLatest: z.boolean(),
    instanceId: z.uuid(),
  }),
  prometheusAPIAvailable: z.boolean(),
  impactMetrics: z.string(),
  resourceLimits: z.record(z.string(), z.int()),
  disablePasswordAuth: z.boolean(),
  maintenanceMode: z.boolean(),
  maxSessionsCount: z.int(),
  unleashContext: z.object({
    email: z.string().optional(),
    userId: z.int().optional(),
    sessionId: z.string().optional(),
  }),
  storiesPageEnabled: z.boolean(),
}))

type UiConfig = Frozen<z.infer<typeof uiConfigSchema>>

/** The limits that the service checks, and those of a new installation that nothing here reaches. */
const resourceLimits = {
  ...constraintLimits,
  ...segmentLimits,
  featureEnvironmentStrategies: MOST_STRATEGIES,
  ...fixed.limits,
}

function presentUiConfig({ tables, caller, baseUrl, basePath }: OperationContext): UiConfig {
  return {
    environment: 'Open Source',
    flags: fixed.flags,
    version: SERVICE_VERSION,
    emailEnabled: false,
    unleashUrl: baseUrl,
    baseUriPath: basePath,
    authenticationType: 'open-source',
    frontendApiOrigins: tables.settings.get('frontend')?.frontendApiOrigins ?? ['*'],
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

/** The context for the flags of the user interface. */
function contextOf({ user, login }: Caller): UiConfig['unleashContext'] {
  if (user === undefined) return {}
  return {
    ...(user.email === null ? {} : { email: sha256Hex(user.email) }),
    userId: user.id,
    ...(login === undefined ? {} : { sessionId: sha256Hex(login) }),
  }
}

export const uiConfigOperations = operations('Admin UI', {
  getUiConfig: get('/api/admin/ui-config', {
    summary: 'Get the configuration of the instance, for the user interface',
    success: ok('The configuration', uiConfigSchema),
    run: ({ context }) => ({ body: presentUiConfig(context) }),
  }),

  setCors: post('/api/admin/ui-config/cors', {
    summary:
      'Set the origins whose pages can use the frontend API; flagdouble stores and returns them, but does not restrict pages by them',
    permission: ['ADMIN', 'UPDATE_CORS'],
    body: namedStrict('setCorsSchema', () => ({ frontendApiOrigins: z.array(z.string()).optional() })),
    success: { status: 204, description: 'Done' },
    errors: [404],
    run: ({ body: { frontendApiOrigins }, context }) => {
      if (frontendApiOrigins === undefined) reject(notFound('The body contains no origins.'))
      const wrong = frontendApiOrigins.find((origin) => !isOrigin(origin))
      if (wrong !== undefined) {
        reject(badData(`${JSON.stringify(wrong)} is neither an origin nor "*".`, '/body/frontendApiOrigins'))
      }
      saveSetting(context, 'unleash.frontend', { name: 'frontend', frontendApiOrigins })
    },
  }),

  uiObservability: post('/api/admin/record-ui-error', {
    summary: 'Report an error of the user interface; nothing is stored',
    worksInMaintenance: true,
    body: z
      // The report can quote the user's actions, including API tokens.
      .object({ errorMessage: secret(z.string()), errorStack: secret(z.string().optional()) })
      .meta({ id: 'recordUiErrorSchema' }),
    success: { status: 204, description: 'Accepted' },
    run: () => undefined,
  }),
})

/** Whether a text is an origin such as `https://app.example.com`, or `*` for all. */
function isOrigin(text: string): boolean {
  return text === '*' || (!text.includes('*') && URL.canParse(text) && new URL(text).origin === text)
}
