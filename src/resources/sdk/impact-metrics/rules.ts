import type { Frozen } from '../../../support/freeze.js'
import type { HistogramSample, ImpactMetric, ValueSample } from './schema.js'

type Labels = Frozen<ValueSample['labels']>

/** The key of a sample: its labels, sorted. */
function keyOf({ labels = {} }: { labels?: Labels }): string {
  return JSON.stringify(Object.entries(labels).toSorted())
}

/** Known samples with new ones: those with the same labels are merged. */
function mergeSamples<Sample extends { labels?: Labels }>(
  known: readonly Sample[],
  added: readonly Sample[],
  merge: (one: Sample, other: Sample) => Sample,
): Sample[] {
  const samples = new Map(known.map((sample) => [keyOf(sample), sample]))
  for (const sample of added) {
    const before = samples.get(keyOf(sample))
    samples.set(keyOf(sample), before === undefined ? sample : merge(before, sample))
  }
  return [...samples.values()]
}

/** A known metric with a report of it: counters and histograms add up, a gauge shows the latest value. */
export function mergeMetric(known: Frozen<ImpactMetric> | undefined, sent: Frozen<ImpactMetric>): Frozen<ImpactMetric> {
  if (sent.type === 'histogram') {
    const before = known?.type === 'histogram' ? known.samples : []
    return { ...sent, samples: mergeSamples(before, sent.samples, sumOfHistograms) }
  }
  const before = known?.type === sent.type ? known.samples : []
  const isCounter = sent.type === 'counter'
  const merge = (one: Frozen<ValueSample>, other: Frozen<ValueSample>) =>
    isCounter ? { ...other, value: one.value + other.value } : other
  return { ...sent, samples: mergeSamples(before, sent.samples, merge) }
}

function sumOfHistograms(one: Frozen<HistogramSample>, other: Frozen<HistogramSample>): Frozen<HistogramSample> {
  const countAt = ({ buckets }: Frozen<HistogramSample>, wanted: number | '+Inf') =>
    buckets.find(({ le }) => le === wanted)?.count ?? 0
  const limits = [...new Set([...one.buckets, ...other.buckets].map(({ le }) => le))]
  return {
    ...other,
    count: one.count + other.count,
    sum: one.sum + other.sum,
    buckets: limits.map((le) => ({ le, count: countAt(one, le) + countAt(other, le) })),
  }
}

/** A name as Prometheus allows it. */
export function metricName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_:]/g, '_')
}
