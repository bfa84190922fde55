import type { Mock } from '../../engine/mock/mock.js'
import { CORE } from '../../engine/mock/session.js'
import { isJsonText } from '../files/json-file.js'
import { createReload, type Sources } from '../files/sources.js'
import { watchFiles } from '../files/watch-files.js'
import type { StartFlags } from './flags.js'
import { type Io, printError } from './io.js'
import { readStartSources } from './start-sources.js'

/**
 * Watches the fixture and scenario files and starts over after a change. Reports a broken file, and keeps the previous
 * sources. Returns a function that stops watching.
 */
export function watchSources(mock: Mock, first: Sources, flags: StartFlags, io: Io): Promise<() => void> {
  const reload = createReload(mock, first, () =>
    readStartSources(flags, (notice) => io.stderr.write(`flagdouble: ${notice}\n`)),
  )
  const { file, bootstrap } = flags.service ?? {}
  const files = [
    ...flags.fixtures.filter((one) => !isJsonText(one)),
    ...[file, bootstrap].filter((name) => name !== undefined),
  ]
  return watchFiles(files, flags.scenarios, () => {
    reload().then(
      (changed) => {
        if (!changed) return
        const isMerged = mock[CORE].sessions.notices().length === 0
        if (isMerged && !flags.quiet)
          io.stderr.write('flagdouble: files changed; changes of your sessions stay on top\n')
        for (const notice of mock[CORE].notices()) io.stderr.write(`flagdouble: ${notice}\n`)
      },
      (error: unknown) => {
        printError(error, io)
        io.stderr.write('hint: The previous files stay in use.\n')
      },
    )
  })
}
