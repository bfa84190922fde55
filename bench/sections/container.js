// Ready time and memory beside a real Unleash, each started as in its container. Not among the default sections: it needs
// UNLEASH_COMMAND, such as "node server.mjs", and the DATABASE_… variables of an empty PostgreSQL database.
import { fixed, median, megabytes, start, table } from '../lib.js'

const ROUNDS = 5
const { UNLEASH_COMMAND } = process.env
if (UNLEASH_COMMAND === undefined) throw new Error('Set UNLEASH_COMMAND to the command that starts Unleash.')

// Unleash must not send requests to the internet.
const env = { INIT_ADMIN_API_TOKENS: '*:*.ci-admin', CHECK_VERSION: 'false', SEND_TELEMETRY: 'false' }
const commands = { flagdouble: ['node', '../dist/cli.js', 'start'], Unleash: UNLEASH_COMMAND.split(' ') }

async function measure(command) {
  const server = await start(command, { ...env, HTTP_PORT: '' })
  const memory = megabytes(server.pid)
  await server.stop()
  return { ready: server.ready, memory }
}

// The first start of Unleash migrates its database, so later starts are faster.
const first = await measure(commands.Unleash)
const rounds = []
for (let round = 0; round < ROUNDS; round++) {
  rounds.push({ flagdouble: await measure(commands.flagdouble), Unleash: await measure(commands.Unleash) })
}
const row = (name, of) => {
  const [mine, others] = [rounds.map((one) => of(one.flagdouble)), rounds.map((one) => of(one.Unleash))]
  const ratio = median(others.map((value, at) => value / mine[at]))
  return [name, fixed(median(mine), 0), fixed(median(others), 0), fixed(ratio, 1)]
}
table(
  'Beside Unleash',
  ['', 'flagdouble', 'Unleash', 'ratio'],
  [
    row('ready, milliseconds', ({ ready }) => ready),
    row('resident memory when ready, megabytes', ({ memory }) => memory),
    ['ready at its first start, milliseconds', '', fixed(first.ready, 0), ''],
  ],
)
