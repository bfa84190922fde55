import type { Mock } from '../mock/mock.js'
import { report } from './errors.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'
import { readSources, type Sources } from './sources.js'
import { watchFiles } from './watch.js'

/**
 * Follows the fixture and scenario files: after a change everything starts afresh from the new ones. A broken file is
 * told, and what was loaded before stays in use. The answer ends that.
 */
export function reloadOnChange(mock: Mock, first: Sources, flags: StartFlags, io: Io): () => void {
  let loaded = JSON.stringify(first)
  const reload = async () => {
    try {
      const sources = await readSources(flags)
      const text = JSON.stringify(sources)
      if (text === loaded) return
      mock.reload(sources)
      await mock.ready
      loaded = text
      if (!flags.quiet) io.stderr.write('flagdouble: files changed, everything starts afresh\n')
    } catch (error) {
      loaded = ''
      report(error, io)
      io.stderr.write('hint: What was loaded before stays in use.\n')
    }
  }
  let reloading = Promise.resolve()
  return watchFiles(flags.fixtures, flags.scenarios, () => {
    reloading = reloading.then(reload)
  })
}
