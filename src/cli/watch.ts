import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds without events after which a change counts as complete. */
const QUIET = 100

/** Calls back after each change to the files, or to the folder's `.json` files. Returns a function that stops it. */
export function watchFiles(files: readonly string[], folder: string | undefined, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, QUIET)
  }
  // Watch folders instead of files: most editors replace a file with a new one.
  const watchers: FSWatcher[] = files.map((file) =>
    watch(dirname(file), (_, name) => {
      if (name === null || name === basename(file)) changed()
    }),
  )
  if (folder !== undefined) {
    watchers.push(
      watch(folder, (_, name) => {
        if (name === null || name.endsWith('.json')) changed()
      }),
    )
  }
  for (const watcher of watchers) watcher.on('error', changed)
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
