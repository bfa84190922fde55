import type { GivenInstant } from '../../../service/resources/shared/schema.js'
import type { GivenTag } from './features.js'

export interface GivenSetting {
  /** `maintenance`: whether the instance is read-only. `frontend`: the settings of the frontend API. */
  name: 'frontend' | 'maintenance'
  /** Whether maintenance mode is on. Default: false. */
  enabled?: boolean | null | undefined
  /** The origins whose pages can use the frontend API, in Unleash's form. Default: `["*"]`. */
  frontendApiOrigins?: string[] | null | undefined
}

export interface GivenEvent {
  /** The ID; later events have higher IDs. */
  id: number
  /** The event type, such as `feature-created`. */
  type: string
  /** The name of the user. Default: `"system"`. */
  createdBy?: string | null | undefined
  /** The time. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The ID of the user. Default: -1337. */
  createdByUserId?: number | null | undefined
  /** The data after the change. Default: null. */
  data?: unknown
  /** The data before the change. Default: null. */
  preData?: unknown
  /** The tags of the feature. Default: empty. */
  tags?: (GivenTag & { color?: string | null | undefined })[] | null | undefined
  /** The name of the feature. Default: null. */
  featureName?: string | null | undefined
  /** The ID of the project. Default: null. */
  project?: string | null | undefined
  /** The name of the environment. Default: null. */
  environment?: string | null | undefined
  /** The kind of change that it belongs to. */
  groupType?: string | null | undefined
  /** The ID of the change that it belongs to. */
  groupId?: string | null | undefined
}

export interface GivenAddon extends AddonChange {
  /** The ID. */
  id: number
}

export interface AddonChange {
  /** The kind of integration. Default: `"webhook"`. */
  provider?:
    | 'datadog'
    | 'new-relic'
    | 'slack'
    | 'slack-app'
    | 'teams'
    | 'teamsworkflow'
    | 'webhook'
    | (string & {})
    | null
    | undefined
  /** The description. Default: null. */
  description?: string | null | undefined
  /** Whether it is enabled. Default: true. */
  enabled?: boolean | null | undefined
  /** The provider's parameters: a URL, keys, a template. Default: empty. */
  parameters?: GivenAddonParameters | null | undefined
  /** The event types that it reports. Default: empty. */
  events?: string[] | null | undefined
  /** The IDs of the projects that it reports on; empty for all. Default: empty. */
  projects?: string[] | null | undefined
  /** The names of the environments that it reports on; empty for all. Default: empty. */
  environments?: string[] | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
}

export interface GivenAddonParameters {
  /** The URL for its messages. */
  url?: string | number | boolean | null | undefined
  /** The Authorization header of a webhook. */
  authorization?: string | number | boolean | null | undefined
  /** Further headers, as a JSON object of strings. */
  customHeaders?: string | number | boolean | null | undefined
  /** The access token of the app for Slack. */
  accessToken?: string | number | boolean | null | undefined
  /** The API key of Datadog. */
  apiKey?: string | number | boolean | null | undefined
  /** The license key of New Relic. */
  licenseKey?: string | number | boolean | null | undefined
  [name: string]: string | number | boolean | null | undefined
}

export interface GivenIntegrationEvent {
  /** The ID; later messages have higher IDs. */
  id: string
  /** The ID of the integration. */
  integrationId: number
  /** The time of recording. */
  createdAt: GivenInstant
  /** The outcome. */
  state: 'failed' | 'success' | 'successWithErrors'
  /** The outcome in words. */
  stateDetails: string
  /** The event that it reports. */
  event: GivenEvent
  /** The contents of the message. */
  details: GivenDetails
}

export interface GivenDetails {
  /** The URL that it would have gone to. */
  url?: string | number | boolean | null | undefined
  [name: string]: unknown
}

export interface GivenSequence {
  /** The kind of records: `users`, `segments`, `addons` or `integrationEvents`. */
  name: 'addons' | 'integrationEvents' | 'segments' | 'users'
  /** The highest ID of a removed record. */
  last: number
}
