/** Switches of the user interface itself, as the service has them out of the box. Those named here are off. */
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

/** Those that would have variants. They are off too. */
const withVariants = ['messageBanner', 'feedbackComments', 'flightRecorderFrontend', 'learningLab']

const disabledVariant = { name: 'disabled', enabled: false, feature_enabled: false }

export const uiFlags = {
  ...Object.fromEntries(
    off
      .trim()
      .split(/\s+/)
      .map((name) => [name, false]),
  ),
  ...Object.fromEntries(withVariants.map((name) => [name, disabledVariant])),
  migrationLock: true,
}

/** How much the service takes of everything. */
export const resourceLimits = {
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
