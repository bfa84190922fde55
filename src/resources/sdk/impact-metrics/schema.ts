import * as z from 'zod'

const labelsSchema = z.record(z.string(), z.union([z.string(), z.number()]))

const valueSampleSchema = z.object({ labels: labelsSchema.optional(), value: z.number() })

const histogramSampleSchema = z.object({
  labels: labelsSchema.optional(),
  count: z.number(),
  sum: z.number(),
  buckets: z.array(z.object({ le: z.union([z.number(), z.literal('+Inf')]), count: z.number() })),
})

const named = { name: z.string(), help: z.string() }

/** A metric of an application, as an SDK reports it and as it is stored: the samples of all SDKs together. */
export const impactMetricSchema = z.discriminatedUnion('type', [
  z.object({ ...named, type: z.literal('counter'), samples: z.array(valueSampleSchema) }),
  z.object({ ...named, type: z.literal('gauge'), samples: z.array(valueSampleSchema) }),
  z.object({ ...named, type: z.literal('histogram'), samples: z.array(histogramSampleSchema) }),
])

export type ImpactMetric = z.infer<typeof impactMetricSchema>
export type ValueSample = z.infer<typeof valueSampleSchema>
export type HistogramSample = z.infer<typeof histogramSampleSchema>
