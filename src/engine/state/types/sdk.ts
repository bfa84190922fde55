import type { GivenInstant } from '../../../service/resources/shared/schema.js'

export interface GivenApplication {
  /** The name. */
  appName: string
  /** The description. Default: null. */
  description?: string | null | undefined
  /** The URL of its page. Default: null. */
  url?: string | null | undefined
  /** The colour, such as `#FF0000`. Default: null. */
  color?: string | null | undefined
  /** The icon. Default: null. */
  icon?: string | null | undefined
  /** The supported strategy types. Default: empty. */
  strategies?: string[] | null | undefined
  /** Its declared usage, in addition to its SDKs' reports. Default: `[{"project":"*","environments":["*"]}]`. */
  usage?: GivenUsage[] | null | undefined
  /** The time of the first report. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
}

export interface GivenUsage {
  /** The ID of a project, or `*`. */
  project: string
  /** The names of environments, or `*`. */
  environments: string[]
}

export interface GivenClientInstance {
  /** The name of the application. */
  appName: string
  /** The ID of the instance. Default: `"default"`. */
  instanceId?: string | null | undefined
  /** The name of the environment. */
  environment: string
  /** The IDs of the projects that it uses. Default: `["*"]`. */
  projects?: string[] | null | undefined
  /** The SDK and its version, such as `unleash-client-node:6.1.0`. Default: null. */
  sdkVersion?: string | null | undefined
  /** The supported strategy types. Default: empty. */
  strategies?: string[] | null | undefined
  /** Whether it has a frontend token. Default: a backend token. */
  isFrontend?: boolean | null | undefined
  /** The time of registration. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The time of the last report. Default: the start of the world. */
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
  /** The count of each variant. Default: empty. */
  variants?: { [name: string]: number | null } | null | undefined
}

export interface GivenUnknownFlag {
  /** The name. */
  name: string
  /** The applications that reported it. */
  reports: GivenReport[]
}

export interface GivenReport {
  /** The name of the application. */
  appName: string
  /** The environment and the time of each report. */
  environments: GivenReportedEnvironment[]
}

export interface GivenReportedEnvironment {
  /** The name of the environment. */
  environment: string
  /** The time of the last report, in UTC with milliseconds. */
  seenAt: string
}

export interface GivenMetric {
  /** The name. */
  name: string
  /** The description of the metric. */
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
  /** The labels. */
  labels?: { [name: string]: string | number } | undefined
  /** The number. */
  value: number
}

export interface GivenHistogramSample {
  /** The labels. */
  labels?: { [name: string]: string | number } | undefined
  /** The number of values. */
  count: number
  /** The sum of the values. */
  sum: number
  /** The number of values up to each limit. */
  buckets: GivenBucket[]
}

export interface GivenBucket {
  /** The limit. */
  le: number | '+Inf'
  /** The number of values up to the limit. */
  count: number
}
