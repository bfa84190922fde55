// The cost of a fresh world for each test.
import { createMock } from '../../dist/index.js'
import { fixed, median, table } from '../lib.js'

function milliseconds(act, rounds = 200) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    act()
    times.push(performance.now() - started)
  }
  return { first: times[0], median: median(times) }
}

const mock = createMock()
const rows = [
  ['createMock()', milliseconds(() => createMock())],
  ["createMock({ scenario: 'expired-token' })", milliseconds(() => createMock({ scenario: 'expired-token' }))],
  [
    'reset() and the first read after it',
    milliseconds(() => {
      mock.reset()
      mock.features.get('checkout-redesign')
    }),
  ],
]
const fixtures = { features: Array.from({ length: 4000 }, (_, i) => ({ name: `flag-${i}`, enabled: true })) }
const large = createMock({ fixtures })
rows.push(
  ['createMock() with 4,000 flags', milliseconds(() => createMock({ fixtures }), 20)],
  ['flagCoverage() of 4,000 flags', milliseconds(() => large.flagCoverage(), 20)],
)
table(
  'In process, milliseconds',
  ['', 'first', 'median'],
  rows.map(([name, { first, median: middle }]) => [name, fixed(first), fixed(middle)]),
)
