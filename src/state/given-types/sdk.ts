import type { GivenInstant } from './shared.js'

/** What is noted about an application. Only its name is needed. */
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
  /** The types of strategies that it knows. */
  strategies?: string[] | undefined
  /** When it was first seen. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
}

/** A name that SDKs report and no feature has. */
export interface GivenUnknownFlag {
  /** The name. */
  name: string
  /** Which applications reported it. */
  reports: GivenUnknownFlagReport[]
}

/** An application that reported an unknown name. */
export interface GivenUnknownFlagReport {
  /** The name of the application. */
  appName: string
  /** Where and when it reported it. */
  environments: GivenUnknownFlagSighting[]
}

/** An environment in which an unknown name was reported. */
interface GivenUnknownFlagSighting {
  /** The name of the environment. */
  environment: string
  /** When it was last reported, in UTC with milliseconds. */
  seenAt: string
}

/** A metric of an application: the samples of all SDKs together. */
export type GivenImpactMetric = GivenValueMetric | GivenHistogram

/** A metric whose samples are single numbers. */
export interface GivenValueMetric {
  /** Its name. */
  name: string
  /** What it counts. */
  help: string
  /** A counter only grows; a gauge goes up and down. */
  type: 'counter' | 'gauge'
  /** A number for each set of labels. */
  samples: {
    /** What the sample is about. */
    labels?: Record<string, string | number> | undefined
    /** The number. */
    value: number
  }[]
}

/** A metric whose samples are counts of values by size. */
export interface GivenHistogram {
  /** Its name. */
  name: string
  /** What it counts. */
  help: string
  /** A histogram counts values by size. */
  type: 'histogram'
  /** Counts for each set of labels. */
  samples: {
    /** What the sample is about. */
    labels?: Record<string, string | number> | undefined
    /** The number of values. */
    count: number
    /** The sum of the values. */
    sum: number
    /** How many values are up to a limit. */
    buckets: {
      /** The limit. */
      le: number | '+Inf'
      /** How many values are up to it. */
      count: number
    }[]
  }[]
}
