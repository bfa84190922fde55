import type { GivenInstant, GivenTag } from './shared.js'

/** A switch of the whole service. */
export interface GivenSetting {
  /** `maintenance`: nothing can be changed. */
  name: 'maintenance'
  /** Whether it is on. */
  enabled: boolean
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
  /** Whether its key is for frontends. Default: false. */
  isFrontend?: boolean | undefined
  /** When it registered. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** When it last reported. Default: the start of the world. */
  lastSeenAt?: GivenInstant | undefined
}

/** What is noted about an application. Only its name is needed. */
export interface GivenApplication {
  /** Its name. */
  appName: string
  /** What it is. Default: null. */
  description?: string | null | undefined
  /** Where it is. Default: null. */
  url?: string | null | undefined
  /** The color to show it in. Default: null. */
  color?: string | null | undefined
  /** The icon to show. Default: null. */
  icon?: string | null | undefined
  /** The types of strategies that it knows. */
  strategies?: string[] | undefined
  /** When it was noted. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
}

/** A name that SDKs report and no feature has. */
export interface GivenUnknownFlag {
  /** The name. */
  name: string
  /** Who reported it. */
  reports: GivenUnknownFlagReport[]
}

/** The reports of one application about an unknown flag. */
export interface GivenUnknownFlagReport {
  /** The name of the application. */
  appName: string
  /** The environments that it reported. */
  environments: GivenUnknownFlagSighting[]
}

/** An environment in which an unknown flag was seen. */
export interface GivenUnknownFlagSighting {
  /** The name of the environment. */
  environment: string
  /** When it was last seen there, in UTC with milliseconds. */
  seenAt: string
}

/** A metric of an application: a counter or a gauge with values, or a histogram with buckets. */
export type GivenImpactMetric = GivenValueMetric | GivenHistogram

/** A counter or a gauge. */
export interface GivenValueMetric {
  /** Its name. */
  name: string
  /** What it measures. */
  help: string
  /** Its kind. */
  type: 'counter' | 'gauge'
  /** Its values, one for each set of labels. */
  samples: GivenValueSample[]
}

/** A value of a metric. */
export interface GivenValueSample {
  /** The labels of the value. */
  labels?: Record<string, string | number> | undefined
  /** The value. */
  value: number
}

/** A histogram. */
export interface GivenHistogram {
  /** Its name. */
  name: string
  /** What it measures. */
  help: string
  /** Its kind. */
  type: 'histogram'
  /** Its distributions, one for each set of labels. */
  samples: GivenHistogramSample[]
}

/** A distribution of values. */
export interface GivenHistogramSample {
  /** The labels of the distribution. */
  labels?: Record<string, string | number> | undefined
  /** The number of values. */
  count: number
  /** Their sum. */
  sum: number
  /** The number of values up to each limit. */
  buckets: GivenBucket[]
}

/** The number of values up to a limit. */
export interface GivenBucket {
  /** The limit. */
  le: number | '+Inf'
  /** The number of values. */
  count: number
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
