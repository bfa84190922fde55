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
  /** Whether its token is for frontends. Default: it is for backends. */
  isFrontend?: boolean | undefined
  /** When it registered. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** When it last reported. Default: the start of the world. */
  lastSeenAt?: GivenInstant | undefined
}

/** What people have noted about an application. Only its name is needed. */
export interface GivenApplication {
  /** Its name. */
  appName: string
  /** What it is. Default: null. */
  description?: string | null | undefined
  /** Where it runs. Default: null. */
  url?: string | null | undefined
  /** A colour such as `#FF0000`. Default: null. */
  color?: string | null | undefined
  /** An icon. Default: null. */
  icon?: string | null | undefined
  /** The names of the types of strategies that it uses. */
  strategies?: string[] | undefined
  /** When it was first seen. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
}

/** A name that SDKs report and no feature has. */
export interface GivenUnknownFlag {
  /** The name. */
  name: string
  /** Which applications report it. */
  reports: GivenUnknownFlagReport[]
}

/** An application that reports an unknown name. */
export interface GivenUnknownFlagReport {
  /** The name of the application. */
  appName: string
  /** Where it was reported. */
  environments: GivenSighting[]
}

/** When something was last reported in an environment. */
export interface GivenSighting {
  /** The name of the environment. */
  environment: string
  /** When it was last reported: a date-time such as `2026-11-20T12:00:00.000Z`. */
  seenAt: string
}

/** A metric of an application that counts or measures one value. */
export interface GivenValueMetric {
  /** Its name. */
  name: string
  /** What it measures. */
  help: string
  /** Whether it only grows, or goes up and down. */
  type: 'counter' | 'gauge'
  /** Its values. */
  samples: GivenValueSample[]
}

/** A value of a metric. */
export interface GivenValueSample {
  /** What it is for, by label. */
  labels?: Record<string, string | number> | undefined
  /** The value. */
  value: number
}

/** A metric of an application that counts values by their size. */
export interface GivenHistogram {
  /** Its name. */
  name: string
  /** What it measures. */
  help: string
  /** The type of the metric. */
  type: 'histogram'
  /** Its values. */
  samples: GivenHistogramSample[]
}

/** Values of a histogram. */
export interface GivenHistogramSample {
  /** What they are for, by label. */
  labels?: Record<string, string | number> | undefined
  /** How many there are. */
  count: number
  /** Their sum. */
  sum: number
  /** How many there are up to some sizes. */
  buckets: GivenBucket[]
}

/** The number of values up to a size. */
export interface GivenBucket {
  /** The size, or `+Inf` for any. */
  le: number | '+Inf'
  /** How many there are up to it. */
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
