import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { grouped } from '../../../support/lists.js'
import { ascending, cappedSum } from '../shared/checks.js'
import { field, strictly } from '../shared/fields.js'
import { object } from '../shared/object.js'
import type { TableDefinition } from '../shared/table.js'

const labelsSchema = z.record(z.string(), z.union([z.string(), z.number()]))

const valueSampleSchema = object(() => ({
  labels: field(labelsSchema.optional(), 'The labels.'),
  value: field(z.number(), 'The number.'),
}))

const histogramSampleSchema = object(() => ({
  labels: field(labelsSchema.optional(), 'The labels.'),
  count: field(z.number(), 'The number of values.'),
  sum: field(z.number(), 'The sum of the values.'),
  buckets: field(
    z.array(
      z.object({
        le: field(z.union([z.number(), z.literal('+Inf')]), 'The limit.'),
        count: field(z.number(), 'The number of values up to the limit.'),
      }),
    ),
    'The number of values up to each limit.',
  ),
}))

const named = {
  name: field(z.string(), 'The name.'),
  help: field(z.string(), 'The description of the metric.'),
}

/** A metric of an application, in an SDK's report and as stored: the samples of all SDKs together. */
export const impactMetricSchema = z.discriminatedUnion('type', [
  z.object({
    ...named,
    type: field(z.literal('counter'), 'A counter only grows.'),
    samples: field(z.array(valueSampleSchema), 'A number for each set of labels.'),
  }),
  z.object({
    ...named,
    type: field(z.literal('gauge'), 'A gauge goes up and down.'),
    samples: field(z.array(valueSampleSchema), 'A number for each set of labels.'),
  }),
  z.object({
    ...named,
    type: field(z.literal('histogram'), 'A histogram counts values by size.'),
    samples: field(z.array(histogramSampleSchema), 'Counts for each set of labels.'),
  }),
])

type ImpactMetric = z.infer<typeof impactMetricSchema>
type ValueSample = z.infer<typeof valueSampleSchema>
type HistogramSample = z.infer<typeof histogramSampleSchema>

type Labels = Frozen<ValueSample['labels']>

/** The key of a sample: its labels, sorted. */
function keyOf({ labels = {} }: { labels?: Labels }): string {
  return JSON.stringify(Object.entries(labels).toSorted())
}

/** The samples, with equal labels merged. */
function mergeSamples<Sample extends { labels?: Labels }>(
  samples: readonly Sample[],
  merge: (same: readonly Sample[], last: Sample) => Sample,
): Sample[] {
  return [...grouped(samples, keyOf).values()].map((same) => merge(same, same.at(-1) as Sample))
}

/** A known metric with reports of the same type: counters and histograms add up, a gauge shows the latest value. */
export function mergeMetrics(reports: readonly Frozen<ImpactMetric>[]): Frozen<ImpactMetric> | undefined {
  const last = reports.at(-1)
  if (last?.type === 'histogram') {
    const samples = reports.flatMap((one) => (one.type === 'histogram' ? one.samples : []))
    return { ...last, samples: mergeSamples(samples, sumOfHistograms) }
  }
  if (last === undefined) return undefined
  const samples = reports.flatMap((one) => (one.type === 'histogram' ? [] : one.samples))
  const sum = (same: readonly Frozen<ValueSample>[], sample: Frozen<ValueSample>) => ({
    ...sample,
    value: totalOf(same, ({ value }) => value),
  })
  return { ...last, samples: mergeSamples(samples, last.type === 'counter' ? sum : (_, sample) => sample) }
}

function totalOf<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((sum, item) => cappedSum(sum, amount(item), Number.MAX_VALUE), 0)
}

/** The maximum buckets of a histogram. The rest is ignored. */
export const BUCKETS_KEPT = 1000

function sumOfHistograms(same: readonly Frozen<HistogramSample>[], last: Frozen<HistogramSample>) {
  const counts = new Map<number | '+Inf', number>()
  for (const { buckets } of same) {
    // The first of two buckets with the same limit counts.
    for (const [le, count] of new Map(buckets.toReversed().map((bucket) => [bucket.le, bucket.count]))) {
      const known = counts.get(le)
      if (known !== undefined || counts.size < BUCKETS_KEPT) {
        counts.set(le, cappedSum(known ?? 0, count, Number.MAX_VALUE))
      }
    }
  }
  return {
    ...last,
    count: totalOf(same, ({ count }) => count),
    sum: totalOf(same, ({ sum }) => sum),
    buckets: [...counts].map(([le, count]) => ({ le, count })),
  }
}

/** A valid Prometheus name. */
export function metricName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_:]/g, '_')
}

// SDKs can report more than seed data contains.
const fixture = strictly(impactMetricSchema)

/** Its records have three shapes, and no defaults. */
export const impactMetricTable: TableDefinition<ImpactMetric, string, never, typeof fixture, ImpactMetric> = {
  meaning: 'Impact metrics of applications.',
  isReported: true,
  record: impactMetricSchema,
  keyName: 'the name of an impact metric',
  key: ({ name }) => name,
  indexes: {},
  fixture,
  complete: (given) => given,
}

/** Metrics in the Prometheus text format. */
export function presentMetrics(metrics: readonly Frozen<ImpactMetric>[]): string {
  return metrics.map(presentMetric).join('\n')
}

function presentMetric(metric: Frozen<ImpactMetric>): string {
  const { name, help, type } = metric
  const lines =
    metric.type === 'histogram'
      ? metric.samples.flatMap((sample) => linesOf(name, sample))
      : metric.samples.map(({ labels, value }) => line(name, labelsOf(type, labels), value))
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

/** The limits in ascending order, with the labels by name; the limit is the last label. */
function linesOf(name: string, { labels, count, sum, buckets }: Frozen<HistogramSample>): string[] {
  const all = labelsOf('histogram', labels).toSorted(([one], [other]) => ascending(one, other))
  const sorted = buckets.toSorted((one, other) => sizeOf(one) - sizeOf(other))
  return [
    ...sorted.map(({ le, count: upTo }) => line(`${name}_bucket`, [...all, ['le', le]], upTo)),
    line(`${name}_sum`, all, sum),
    line(`${name}_count`, all, count),
  ]
}

/** A number above all others in place of no limit, because infinities can't be subtracted. */
function sizeOf({ le }: { le: number | '+Inf' }): number {
  return le === '+Inf' ? Number.MAX_VALUE : le
}

type Label = readonly [name: string, value: string | number]

function labelsOf(type: ImpactMetric['type'], labels: Labels): Label[] {
  return Object.entries({ origin: 'sdk', metric_type: type, ...labels }).map(([label, value]) => [
    metricName(label),
    value,
  ])
}

function line(name: string, labels: readonly Label[], value: number): string {
  const shown = labels.map(([label, text]) => `${label}="${escaped(String(text))}"`)
  return `${name}{${shown.join(',')}} ${value}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
