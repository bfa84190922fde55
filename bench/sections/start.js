// Time from the start of the process to the first response.
import { fixed, median, start, table } from '../lib.js'

const ROUNDS = 9
const times = { flagdouble: [], bare: [] }
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, command] of [
    ['flagdouble', ['node', '../dist/cli.js', 'start', '--quiet', '--port', '{port}']],
    ['bare', ['node', 'servers/bare-hono.js']],
  ]) {
    const server = await start(command)
    times[name].push(server.ready)
    await server.stop()
  }
}
const pairs = times.flagdouble.map((time, i) => time / times.bare[i])
table(
  'Start to first answer',
  ['', 'milliseconds'],
  [
    ['flagdouble start', fixed(median(times.flagdouble), 0)],
    ['bare Hono', fixed(median(times.bare), 0)],
    ['ratio', fixed(median(pairs))],
  ],
)
