import { operations } from '../src/service/api/operations.js'
import { grouped } from '../src/support/lists.js'
import { differences } from '../test/fidelity/differences.js'
import { isUnexplained, type Observed } from './pair.js'

type Counts = Readonly<Record<string, { compared: number; equal: number }>>

/** Prints the figures of a campaign, one row for each group of operations. */
export function report(observed: readonly Observed[]): string {
  const tags = new Map<string, string>(operations.map(({ id, tag }) => [id, tag]))
  const groups = grouped(observed, ({ operation }) => tags.get(operation ?? '') ?? 'other paths')
  const rows = [...groups].toSorted(([a], [b]) => a.localeCompare(b)).map(([tag, all]) => rowOf(tag, all))
  const figures = [
    'exchanges',
    'status',
    'or a 5xx there',
    'whole body',
    'headers',
    'equal',
    'explained',
    'unexplained',
  ]
  const head = ['group', ...figures]
  const lines = [head, head.map(() => '---'), ...rows, rowOf('**all**', observed)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  return [...lines, '', ...unusedRows(observed)].join('\n')
}

function rowOf(name: string, all: readonly Observed[]): string[] {
  const percent = (fits: (one: Observed) => boolean) => `${((100 * all.filter(fits).length) / all.length).toFixed(2)} %`
  const lacks =
    (...kinds: string[]) =>
    (one: Observed) =>
      !one.differences.some(({ difference }) => kinds.includes(difference.kind))
  const unexplained = all.filter(isUnexplained).length
  return [
    name,
    String(all.length),
    percent(lacks('status')),
    percent((one) => lacks('status')(one) || one.response.status >= 500),
    percent(lacks('status', 'value', 'order')),
    percent(lacks('header')),
    percent(({ differences: found }) => found.length === 0),
    percent((one) => one.differences.length > 0 && !isUnexplained(one)),
    String(unexplained),
  ]
}

function unusedRows(observed: readonly Observed[]): string[] {
  const used = new Set(observed.flatMap(({ differences: found }) => found.map(({ row }) => row?.name)))
  const unused = differences.filter(({ name }) => !used.has(name)).map(({ name }) => name)
  return unused.length === 0 ? [] : [`Rows of the table of differences that explained nothing: ${unused.join(', ')}.`]
}

/** An unexplained exchange, for the terminal. */
export function shown({ request, operation, differences: found, response }: Observed): string {
  const unexplained = found.filter(({ row }) => row === undefined)
  const text = (value: unknown) => (JSON.stringify(value) ?? 'missing').slice(0, 160)
  const lines = unexplained.map(({ difference: { place, kind, expected, actual } }) => {
    return `    ${place} (${kind}): ${text(expected)}, here ${text(actual)}`
  })
  const body = request.body === undefined ? '' : ` ${text(request.body)}`
  return [
    `≠ ${operation}: ${request.method} ${request.path}${body} → ${response.status}, by ${request.actor}`,
    ...lines,
  ].join('\n')
}

/** Adds to the counts of earlier campaigns: how often each operation was compared, and how often the responses were equal. */
export function counted(before: Counts, observed: readonly Observed[]): Counts {
  const counts = new Map(Object.entries(before))
  for (const { operation, differences: found } of observed) {
    if (operation === undefined) continue
    const { compared, equal } = counts.get(operation) ?? { compared: 0, equal: 0 }
    counts.set(operation, { compared: compared + 1, equal: equal + (found.length === 0 ? 1 : 0) })
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => a.localeCompare(b)))
}
