import type { ProviderDefinition } from './schema.js'

type Parameter = NonNullable<ProviderDefinition['parameters']>[number]

const words = (text: string) => text.trim().split(/\s+/)

const ofFlags = words(`
  feature-created feature-updated feature-archived feature-revived feature-stale-on feature-stale-off
  feature-environment-enabled feature-environment-disabled feature-strategy-remove feature-strategy-update
  feature-strategy-add feature-metadata-updated feature-project-change feature-potentially-stale-on`)

const ofReleasePlans = words('release-plan-progressions-paused release-plan-progressions-resumed')

const ofChangeRequests = words(`
  change-added change-discarded change-edited change-request-applied change-request-approval-added
  change-request-approved change-request-cancelled change-request-created change-request-discarded
  change-request-rejected change-request-sent-to-review change-request-scheduled
  change-request-scheduled-application-success change-request-scheduled-application-failure
  change-request-schedule-suspended`)

const ofInstance = words(`
  addon-config-created addon-config-deleted addon-config-updated api-token-created api-token-deleted
  context-field-created context-field-deleted context-field-updated group-created group-deleted group-updated
  banner-created banner-updated banner-deleted project-created project-archived project-deleted segment-created
  segment-deleted segment-updated service-account-created service-account-deleted service-account-updated
  user-created user-deleted user-updated user-access-request-registered user-access-request-approved
  user-access-request-rejected`)

const ofMonitoring = [...ofFlags, 'feature-environment-variants-updated']
const ofChats = [...ofFlags, 'feature-variants-updated', ...ofChangeRequests, ...ofReleasePlans]

type Kind = { required?: true; sensitive?: true; placeholder?: string; type?: string }

function parameter(name: string, displayName: string, description: string, kind: Kind = {}): Parameter {
  const { type = 'text', required = false, sensitive = false, ...more } = kind
  return { name, displayName, type, description, required, sensitive, ...more }
}

const url = (displayName: string, kind: Kind) =>
  parameter('url', displayName, 'Where the messages are posted', { type: 'url', ...kind })

const customHeaders = parameter('customHeaders', 'More headers', 'HTTP headers to add, as a JSON object of strings', {
  type: 'textfield',
  sensitive: true,
  placeholder: '{ "X-Header": "value" }',
})

const bodyTemplate = parameter(
  'bodyTemplate',
  'Template of the body',
  'A Mustache template in place of the usual body',
  {
    type: 'textfield',
    placeholder: '{ "event": "{{event.type}}", "by": "{{event.createdBy}}" }',
  },
)

const docs = (page: string) => `https://docs.getunleash.io/integrate/${page}`
const tag = (name: string, icon: string) => [{ name, description: `Where ${name} messages about a flag go`, icon }]

/** The providers of integrations, in the order in which the service lists them. */
export const providers: readonly ProviderDefinition[] = [
  {
    name: 'webhook',
    displayName: 'Webhook',
    description: 'Posts events to any URL.',
    documentationUrl: docs('webhook'),
    howTo: 'Choose a URL and the events that are posted to it.',
    parameters: [
      url('URL of the webhook', { required: true, sensitive: true }),
      parameter('contentType', 'Content type', 'Default: application/json', { placeholder: 'application/json' }),
      parameter('authorization', 'Authorization', 'The Authorization header, if any', { sensitive: true }),
      customHeaders,
      bodyTemplate,
    ],
    events: [...ofChats, ...words('feature-completed feature-tagged feature-untagged')],
  },
  {
    name: 'slack',
    displayName: 'Slack',
    description: 'Posts messages to Slack.',
    documentationUrl: docs('slack-app'),
    deprecated: 'This integration is deprecated. Use the app for Slack.',
    alerts: [
      { type: 'warning', text: 'Use the app for Slack.', link: { url: docs('slack-app'), title: 'How to move' } },
    ],
    parameters: [
      url('URL of the Slack webhook', { required: true, sensitive: true }),
      parameter('username', 'Username', 'The sender of the messages', { placeholder: 'Unleash' }),
      parameter('emojiIcon', 'Emoji', 'The icon of the sender', { placeholder: ':unleash:' }),
      parameter('defaultChannel', 'Default channel', 'For flags without a tag that names a channel', {
        required: true,
      }),
      customHeaders,
    ],
    events: [...ofFlags, 'feature-variants-updated', ...ofReleasePlans],
    tagTypes: tag('slack', 'S'),
  },
  {
    name: 'slack-app',
    displayName: 'App for Slack',
    description: 'Posts messages to channels of a Slack workspace.',
    documentationUrl: docs('slack-app'),
    howTo: 'Name the channels here, or in a tag of a flag, such as "slack:general".',
    installation: {
      url: 'https://app-for-slack.getunleash.io/install',
      title: 'Install the app',
      helpText: 'Then paste its access token below.',
    },
    parameters: [
      parameter('accessToken', 'Access token', 'The token that the app was given', { required: true, sensitive: true }),
      parameter('defaultChannels', 'Channels', 'Channels for all messages, separated by commas'),
    ],
    events: [
      ...ofMonitoring,
      ...words('feature-deleted feature-tagged feature-untagged'),
      ...ofChangeRequests,
      ...ofReleasePlans,
      ...ofInstance,
    ],
    tagTypes: tag('slack', 'S'),
  },
  {
    name: 'teams',
    displayName: 'Microsoft Teams',
    description: 'Posts messages to Microsoft Teams.',
    documentationUrl: docs('teams'),
    deprecated: 'This integration is deprecated. Use the workflow for Microsoft Teams.',
    parameters: [url('URL of the Teams webhook', { required: true, sensitive: true }), customHeaders],
    events: ofChats,
  },
  {
    name: 'datadog',
    displayName: 'Datadog',
    description: 'Posts events to Datadog.',
    documentationUrl: docs('datadog'),
    parameters: [
      url('URL of the Datadog events', {}),
      parameter('apiKey', 'API key', 'The API key of Datadog', { required: true, sensitive: true }),
      parameter('sourceTypeName', 'Source type', 'The source_type_name of the events'),
      customHeaders,
      bodyTemplate,
    ],
    events: ofMonitoring,
    tagTypes: tag('datadog', 'D'),
  },
  {
    name: 'new-relic',
    displayName: 'New Relic',
    description: 'Posts events to New Relic.',
    documentationUrl: docs('new-relic'),
    parameters: [
      url('URL of the New Relic events', { required: true }),
      parameter('licenseKey', 'License key', 'The license key of New Relic', { required: true, sensitive: true }),
      customHeaders,
      bodyTemplate,
    ],
    events: ofMonitoring,
    tagTypes: tag('new-relic', 'D'),
  },
  {
    name: 'teamsworkflow',
    displayName: 'Microsoft Teams workflow',
    description: 'Posts messages to a workflow of Microsoft Teams.',
    documentationUrl: docs('teams-workflow'),
    parameters: [url('URL of the workflow', { required: true, sensitive: true }), customHeaders],
    events: ofChats,
  },
]

/** The names of the parameters that hold a secret, whatever the provider. */
export const sensitiveNames: readonly string[] = [...new Set(providers.flatMap(sensitiveOf))]

/** The names of the parameters that hold a secret for a provider. */
export function sensitiveOf({ parameters = [] }: ProviderDefinition): string[] {
  return parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name)
}
