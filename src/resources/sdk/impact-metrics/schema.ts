import * as z from 'zod'

const labelsSchema = z.record(z.string(), z.union([z.string(), z.number()]))

const valueSampleSchema = z.object({
  /** What the sample is about. */
  labels: labelsSchema.optional(),
  /** The number. */
  value: z.number(),
})

const histogramSampleSchema = z.object({
  /** What the sample is about. */
  labels: labelsSchema.optional(),
  /** The number of values. */
  count: z.number(),
  /** The sum of the values. */
  sum: z.number(),
  /** How many values are up to each limit. */
  buckets: z.array(
    z.object({
      /** The limit. */
      le: z.union([z.number(), z.literal('+Inf')]),
      /** How many values are up to it. */
      count: z.number(),
    }),
  ),
})

const named = {
  /** Its name. */
  name: z.string(),
  /** What it counts. */
  help: z.string(),
}

/** A metric of an application, as an SDK reports it and as it is stored: the samples of all SDKs together. */
export const impactMetricSchema = z.discriminatedUnion('type', [
  z.object({
    ...named,
    /** A counter only grows. */
    type: z.literal('counter'),
    /** A number for each set of labels. */
    samples: z.array(valueSampleSchema),
  }),
  z.object({
    ...named,
    /** A gauge goes up and down. */
    type: z.literal('gauge'),
    /** A number for each set of labels. */
    samples: z.array(valueSampleSchema),
  }),
  z.object({
    ...named,
    /** A histogram counts values by size. */
    type: z.literal('histogram'),
    /** Counts for each set of labels. */
    samples: z.array(histogramSampleSchema),
  }),
])

export type ImpactMetric = z.infer<typeof impactMetricSchema>
export type ValueSample = z.infer<typeof valueSampleSchema>
export type HistogramSample = z.infer<typeof histogramSampleSchema>
