import type { Frozen } from '../../../support/freeze.js'
import { metricName } from './rules.js'
import type { HistogramSample, ImpactMetric } from './schema.js'

type Labels = Readonly<Record<string, string | number>>

/** Metrics in the text format of Prometheus. */
export function presentMetrics(metrics: readonly Frozen<ImpactMetric>[]): string {
  return metrics.map(presentMetric).join('\n')
}

function presentMetric(metric: Frozen<ImpactMetric>): string {
  const { name, help, type } = metric
  const lines =
    metric.type === 'histogram'
      ? metric.samples.flatMap((sample) => linesOf(name, sample))
      : metric.samples.map(({ labels, value }) => line(name, { origin: 'sdk', metric_type: type, ...labels }, value))
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function linesOf(name: string, { labels, count, sum, buckets }: Frozen<HistogramSample>): string[] {
  const all = { metric_type: 'histogram', origin: 'sdk', ...labels }
  return [
    ...buckets.map((bucket) => line(`${name}_bucket`, { ...all, le: bucket.le }, bucket.count)),
    line(`${name}_sum`, all, sum),
    line(`${name}_count`, all, count),
  ]
}

function line(name: string, labels: Labels, value: number): string {
  const shown = Object.entries(labels).map(([label, text]) => `${metricName(label)}="${escaped(String(text))}"`)
  return `${name}{${shown.join(',')}} ${value}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
