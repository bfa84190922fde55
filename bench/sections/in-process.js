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
table(
  'In process, milliseconds',
  ['', 'first', 'median'],
  rows.map(([name, { first, median: middle }]) => [name, fixed(first), fixed(middle)]),
)
