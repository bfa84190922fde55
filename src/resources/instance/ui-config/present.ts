import { SERVICE_VERSION } from '../../../contract/profile.js'
import { sha256Hex } from '../../../support/digest.js'
import type { Caller, OperationContext } from '../../shared/context.js'
import { inMaintenance } from '../maintenance/lookup.js'
import { INSTANCE_ID } from '../statistics/present.js'
import type { UiConfig } from './schema.js'

/** Flags of the user interface itself that are off in a new installation. */
const off = `
  anonymiseEventLog enableLicense responseTimeWithAppNameKillSwitch maintenanceMode strictSchemaValidation
  personalAccessTokensKillSwitch demo onboardingIntroTour onboardingIntroTourAdvancedTopics interactiveDemoKillSwitch
  filterInvalidClientMetrics disableMetrics celebrateUnleash feedbackPosting encryptEmails extendedUsageMetrics
  outdatedSdksBanner usePromiseTokenCache disableUpdateMaxRevisionId disablePublishUnannouncedEvents queryMissingTokens
  responseTimeMetricsFix disableShowContextFieldSelectionValues manyStrategiesPagination enableLegacyVariants
  extendedMetrics removeUnsafeInlineStyleSrc projectRoleAssignment webhookDomainLogging productivityReportEmail
  productivityReportUnsubscribers tokenExpiryNotifications showUserDeviceCount deltaApi uniqueSdkTracking
  consumptionModel impactViews disableImpactMetrics plausibleMetrics flightRecorderSdk flightRecorderAdminEvents
  regexConstraintOperator semverGteConstraintOperators userTokenWithClientApiLoggingKillSwitch multiMetricChart
  logRocketEnabled hubspotChatEnabled newModalDesign newProfileDropdown floatingOnboardingChecklist
  serviceNowIntegration topLabelInputs recordSdkFlavorMetrics secureTokenStorage secureAccountTokenStorage
  searchDocsWidget usersTabsUI semverBuildMetadata slackIntegrationProjectLevel simplerStrategySetup
  flagStatusTooltips totalUsageMetrics
`

/** Flags with variants, which are off too. */
const withVariants = ['messageBanner', 'feedbackComments', 'flightRecorderFrontend', 'learningLab']

const disabledVariant = { name: 'disabled', enabled: false, feature_enabled: false }

const uiFlags = {
  ...Object.fromEntries(
    off
      .trim()
      .split(/\s+/)
      .map((name) => [name, false]),
  ),
  ...Object.fromEntries(withVariants.map((name) => [name, disabledVariant])),
  migrationLock: true,
}

const resourceLimits = {
  segmentValues: 1000,
  strategySegments: 5,
  signalEndpoints: 5,
  actionSetActions: 10,
  actionSetsPerProject: 5,
  actionSetFilters: 5,
  actionSetFilterValues: 25,
  signalTokensPerEndpoint: 5,
  featureEnvironmentStrategies: 30,
  constraintValues: 250,
  constraints: 30,
  environments: 50,
  projects: 500,
  apiTokens: 2000,
  segments: 300,
  featureFlags: 5000,
  releaseTemplates: 10,
}

/** The configuration of the instance. */
export function presentUiConfig({ tables, caller, baseUrl }: OperationContext): UiConfig {
  return {
    environment: 'Open Source',
    flags: uiFlags,
    version: SERVICE_VERSION,
    emailEnabled: false,
    unleashUrl: baseUrl,
    baseUriPath: new URL(baseUrl).pathname.replace(/\/$/, ''),
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

/** The context for the flags of the user interface itself. */
function contextOf({ user, login }: Caller): UiConfig['unleashContext'] {
  if (user === undefined) return {}
  return {
    ...(user.email === null ? {} : { email: sha256Hex(user.email) }),
    userId: user.id,
    ...(login === undefined ? {} : { sessionId: sha256Hex(login) }),
  }
}
