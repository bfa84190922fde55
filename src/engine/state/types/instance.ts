import type { GivenInstant } from '../../../service/resources/shared/schema.js'
import type { GivenTag } from './features.js'

export interface GivenSetting {
  /** `maintenance`: whether nothing can be changed. `frontend`: the settings of the frontend API. */
  name: 'frontend' | 'maintenance'
  /** Whether maintenance mode is on. Default: false. */
  enabled?: boolean | null | undefined
  /** The origins whose pages may use the frontend API, as the service shows them. Default: `["*"]`. */
  frontendApiOrigins?: string[] | null | undefined
}

export interface GivenEvent {
  /** Its number; later events have higher ones. */
  id: number
  /** What happened, such as `feature-created`. */
  type: string
  /** Who did it, by name. Default: `"system"`. */
  createdBy?: string | null | undefined
  /** When it happened. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The id of the user who did it. Default: -1337. */
  createdByUserId?: number | null | undefined
  /** The data after it. Default: null. */
  data?: unknown
  /** The data before it. Default: null. */
  preData?: unknown
  /** The tags of the feature. Default: empty. */
  tags?: GivenTag[] | null | undefined
  /** The name of the feature that it is about. Default: null. */
  featureName?: string | null | undefined
  /** The id of the project that it is about. Default: null. */
  project?: string | null | undefined
  /** The environment that it is about. Default: null. */
  environment?: string | null | undefined
  /** The kind of change that it was part of. */
  groupType?: string | null | undefined
  /** The id of the change that it was part of. */
  groupId?: string | null | undefined
}

export interface GivenAddon extends AddonChange {
  /** Its number. */
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
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** Whether it is on. Default: true. */
  enabled?: boolean | null | undefined
  /** What its provider needs: a URL, keys, a template. Default: empty. */
  parameters?: GivenAddonParameters | null | undefined
  /** The types of events that it sends messages about. Default: empty. */
  events?: string[] | null | undefined
  /** The ids of the projects whose events it sends; none for all. Default: empty. */
  projects?: string[] | null | undefined
  /** The names of the environments whose events it sends; none for all. Default: empty. */
  environments?: string[] | null | undefined
  /** When it was set up. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
}

export interface GivenAddonParameters {
  /** Where its messages would go. */
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
  /** Its number; later messages have higher ones. */
  id: string
  /** The id of the integration. */
  integrationId: number
  /** When it was recorded. */
  createdAt: GivenInstant
  /** What came of it. */
  state: 'failed' | 'success' | 'successWithErrors'
  /** The same in words. */
  stateDetails: string
  /** The event that it is about. */
  event: GivenEvent
  /** What it contains. */
  details: GivenDetails
}

export interface GivenDetails {
  /** Where it would have gone. */
  url?: string | number | boolean | null | undefined
  [name: string]: unknown
}

export interface GivenSequence {
  /** The kind of records: `users`, `segments`, `addons` or `integrationEvents`. */
  name: 'addons' | 'integrationEvents' | 'segments' | 'users'
  /** The highest number of a removed one. */
  last: number
}
