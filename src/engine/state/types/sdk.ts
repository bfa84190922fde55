import type { GivenInstant } from '../../../service/resources/shared/schema.js'

export interface GivenApplication {
  /** Its name. */
  appName: string
  /** What it is. Default: null. */
  description?: string | null | undefined
  /** Its page. Default: null. */
  url?: string | null | undefined
  /** A colour such as `#FF0000`. Default: null. */
  color?: string | null | undefined
  /** An icon. Default: null. */
  icon?: string | null | undefined
  /** The types of strategies that it knows. Default: empty. */
  strategies?: string[] | null | undefined
  /** Where it is said to be used. Where its SDKs say so themselves comes on top. Default: `[{"project":"*","environments":["*"]}]`. */
  usage?: GivenUsage[] | null | undefined
  /** When it was first seen. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
}

export interface GivenUsage {
  /** The id of a project, or `*`. */
  project: string
  /** The names of environments, or `*`. */
  environments: string[]
}

export interface GivenClientInstance {
  /** The name of the application. */
  appName: string
  /** The id of the instance. Default: `"default"`. */
  instanceId?: string | null | undefined
  /** The name of the environment. */
  environment: string
  /** The ids of the projects that it reads. Default: `["*"]`. */
  projects?: string[] | null | undefined
  /** The SDK and its version, such as `unleash-client-node:6.1.0`. Default: null. */
  sdkVersion?: string | null | undefined
  /** The types of strategies that it knows. Default: empty. */
  strategies?: string[] | null | undefined
  /** Whether its token is for frontends. Default: for backends. */
  isFrontend?: boolean | null | undefined
  /** When it registered. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** When it last reported. Default: the start of the world. */
  lastSeenAt?: GivenInstant | null | undefined
}

export interface GivenClientMetric {
  /** The name of the feature. */
  featureName: string
  /** The name of the application. Default: `"unnamed-app"`. */
  appName?: string | null | undefined
  /** The name of the environment. */
  environment: string
  /** The start of the hour. Default: the start of the world. */
  timestamp?: GivenInstant | null | undefined
  /** How often it was on. Default: 0. */
  yes?: number | null | undefined
  /** How often it was off. Default: 0. */
  no?: number | null | undefined
  /** How often each variant was given. Default: empty. */
  variants?: { [name: string]: number | null } | null | undefined
}

export interface GivenUnknownFlag {
  /** The name. */
  name: string
  /** Which applications reported it. */
  reports: GivenReport[]
}

export interface GivenReport {
  /** The name of the application. */
  appName: string
  /** Where and when it reported it. */
  environments: GivenReportedEnvironment[]
}

export interface GivenReportedEnvironment {
  /** The name of the environment. */
  environment: string
  /** When it was last reported, in UTC with milliseconds. */
  seenAt: string
}

export interface GivenMetric {
  /** Its name. */
  name: string
  /** What it counts. */
  help: string
}

export interface GivenCounter extends GivenMetric {
  /** A counter only grows. */
  type: 'counter'
  /** A number for each set of labels. */
  samples: GivenSample[]
}

export interface GivenGauge extends GivenMetric {
  /** A gauge goes up and down. */
  type: 'gauge'
  /** A number for each set of labels. */
  samples: GivenSample[]
}

export interface GivenHistogram extends GivenMetric {
  /** A histogram counts values by size. */
  type: 'histogram'
  /** Counts for each set of labels. */
  samples: GivenHistogramSample[]
}

export interface GivenSample {
  /** What the sample is about. */
  labels?: { [name: string]: string | number } | undefined
  /** The number. */
  value: number
}

export interface GivenHistogramSample {
  /** What the sample is about. */
  labels?: { [name: string]: string | number } | undefined
  /** The number of values. */
  count: number
  /** The sum of the values. */
  sum: number
  /** How many values are up to each limit. */
  buckets: GivenBucket[]
}

export interface GivenBucket {
  /** The limit. */
  le: number | '+Inf'
  /** How many values are up to it. */
  count: number
}
