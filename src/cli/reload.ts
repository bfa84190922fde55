import { createReload, readSources, type Sources } from '../files/sources.js'
import type { Mock } from '../mock/mock.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'
import { report } from './main.js'
import { watchFiles } from './watch.js'

/**
 * Watches the fixture and scenario files and starts over from the new ones after a change. A broken file is reported,
 * and the previous sources stay in use. Returns a function that stops watching.
 */
export function reloadOnChange(mock: Mock, first: Sources, flags: StartFlags, io: Io): Promise<() => void> {
  const effect =
    flags.state === undefined
      ? ', starting over'
      : '; what --state keeps stays until a reset, everything else starts over'
  const reload = createReload(mock, first, () => readSources(flags))
  return watchFiles(flags.fixtures, flags.scenarios, () => {
    reload().then(
      (changed) => {
        if (changed && !flags.quiet) io.stderr.write(`flagdouble: files changed${effect}\n`)
      },
      (error: unknown) => {
        report(error, io)
        io.stderr.write('hint: The previous files stay in use.\n')
      },
    )
  })
}
