import { UsageError } from '../../files/usage-error.js'
import type { Mock } from '../../mock/mock.js'
import type { StartFlags } from '../flags.js'
import type { Io } from '../io.js'
import { StateFile } from './state-file.js'

/** Opens the state file that flags name, if they name one. Throws a `UsageError` if it can't be used. */
export async function openStateFile(
  { state, stateSync = false, scenario, fixtures }: StartFlags,
  mock: Mock,
  { stderr }: Pick<Io, 'stderr'>,
): Promise<StateFile | undefined> {
  if (state === undefined && stateSync) {
    throw new UsageError('--state-sync needs a state file.', 'Name one: --state flags.json --state-sync')
  }
  if (state === undefined) return undefined
  const warn = (message: string) => stderr.write(`flagdouble: ${message}\n`)
  const file = await StateFile.open(state, { mock, sync: stateSync, startsInScenario: scenario !== undefined, warn })
  if (file.loaded > 0 && fixtures.length > 0) {
    warn(`The fixtures are not added to what ${state} holds. A reset starts over with them.`)
  }
  return file
}
