import type { GivenInstant, GivenTag, OrOther } from './shared.js'

/** A switch of the whole service. */
export interface GivenSetting {
  /** `maintenance`: whether nothing can be changed. `frontend`: the settings of the frontend API. */
  name: 'maintenance' | 'frontend'
  /** Whether maintenance mode is on. Default: false. */
  enabled?: boolean | undefined
  /** The origins whose pages may use the frontend API, as the service shows them. Default: `['*']`. */
  frontendApiOrigins?: string[] | undefined
}

/** What an application reported about a feature for an hour. */
export interface GivenClientMetrics {
  /** The name of the feature. */
  featureName: string
  /** The name of the application. */
  appName?: string | undefined
  /** The name of the environment. */
  environment: string
  /** The hour. Default: the start of the world. */
  timestamp?: GivenInstant | undefined
  /** How often it was on. Default: 0. */
  yes?: number | undefined
  /** How often it was off. Default: 0. */
  no?: number | undefined
  /** How often each variant was given. */
  variants?: Record<string, number> | undefined
}

/** A running SDK. */
export interface GivenClientInstance {
  /** The name of the application. */
  appName: string
  /** The id of the instance. */
  instanceId?: string | undefined
  /** The name of the environment. */
  environment: string
  /** The ids of the projects that it reads. */
  projects?: string[] | undefined
  /** The SDK and its version, such as `unleash-client-node:6.1.0`. */
  sdkVersion?: string | null | undefined
  /** The types of strategies that it knows. */
  strategies?: string[] | undefined
  /** Whether its token is for frontends. Default: for backends. */
  isFrontend?: boolean | undefined
  /** When it registered. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** When it last reported. Default: the start of the world. */
  lastSeenAt?: GivenInstant | undefined
}

/** An entry of the event log. */
export interface GivenEvent {
  /** Its number; later events have higher ones. */
  id: number
  /** What happened, such as `feature-created`. */
  type: string
  /** Who did it, by name. */
  createdBy?: string | undefined
  /** When it happened. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** The id of the user who did it. */
  createdByUserId?: number | undefined
  /** The data after it. */
  data?: unknown
  /** The data before it. */
  preData?: unknown
  /** The tags of the feature. */
  tags?: GivenTag[] | undefined
  /** The name of the feature that it is about. */
  featureName?: string | null | undefined
  /** The id of the project that it is about. */
  project?: string | null | undefined
  /** The environment that it is about. */
  environment?: string | null | undefined
  /** The kind of change that it was part of. */
  groupType?: string | undefined
  /** The id of the change that it was part of. */
  groupId?: string | undefined
}

type Parameter = string | number | boolean | undefined

/** The parameters of an integration. Each provider has its own. */
export interface GivenAddonParameters {
  /** Where its messages would go. */
  url?: Parameter
  /** The Authorization header of a webhook. */
  authorization?: Parameter
  /** Further headers, as a JSON object of strings. */
  customHeaders?: Parameter
  /** The access token of the app for Slack. */
  accessToken?: Parameter
  /** The API key of Datadog. */
  apiKey?: Parameter
  /** The license key of New Relic. */
  licenseKey?: Parameter
  [name: string]: Parameter
}

/** What can be changed of an integration whose id is known. */
export interface GivenAddonChange {
  /** The kind of integration. Default: `webhook`. */
  provider?:
    | OrOther<'webhook' | 'slack' | 'slack-app' | 'teams' | 'datadog' | 'new-relic' | 'teamsworkflow'>
    | undefined
  /** What it is for. Default: null. */
  description?: string | null | undefined
  /** Whether it is on. Default: true. */
  enabled?: boolean | undefined
  /** What its provider needs: a URL, keys, a template. */
  parameters?: GivenAddonParameters | undefined
  /** The types of events that it sends messages about. */
  events?: string[] | undefined
  /** The ids of the projects whose events it sends. Default: all. */
  projects?: string[] | undefined
  /** The names of the environments whose events it sends. Default: all. */
  environments?: string[] | undefined
  /** When it was set up. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
}

/** An integration, such as a webhook. Only its id is needed. Its messages are recorded, and never sent. */
export interface GivenAddon extends GivenAddonChange {
  /** Its number. */
  id: number
}

/** A message that an integration would have sent. */
export interface GivenIntegrationEvent {
  /** Its number; later messages have higher ones. */
  id: string
  /** The id of the integration. */
  integrationId: number
  /** When it was recorded. */
  createdAt: GivenInstant
  /** What came of it. */
  state: 'success' | 'failed' | 'successWithErrors'
  /** The same in words. */
  stateDetails: string
  /** The event that it is about. */
  event: GivenEvent
  /** What it contains. */
  details: {
    /** Where it would have gone. */
    url?: string | number | boolean | undefined
    [name: string]: unknown
  }
}
