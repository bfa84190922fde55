import type { Mock } from '../mock/mock.js'
import { report } from './errors.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'
import { readSources, type Sources } from './sources.js'
import { watchFiles } from './watch.js'

/**
 * Watches the fixture and scenario files and starts over from the new ones after a change. A broken file is reported,
 * and the previous sources stay in use. Returns a function that stops watching.
 */
export function reloadOnChange(mock: Mock, first: Sources, flags: StartFlags, io: Io): () => void {
  let loaded = JSON.stringify(first)
  const keeps = flags.state === undefined ? '' : '; what --state keeps stays until a reset'
  const reload = async () => {
    try {
      const sources = await readSources(flags)
      const text = JSON.stringify(sources)
      if (text === loaded) return
      mock.reload(sources)
      await mock.ready
      loaded = text
      if (!flags.quiet) io.stderr.write(`flagdouble: files changed, starting over${keeps}\n`)
    } catch (error) {
      loaded = ''
      report(error, io)
      io.stderr.write('hint: The previous files stay in use.\n')
    }
  }
  let reloading = Promise.resolve()
  return watchFiles(flags.fixtures, flags.scenarios, () => {
    reloading = reloading.then(reload)
  })
}
