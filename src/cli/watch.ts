import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds of silence after which a change counts as made. */
const QUIET = 100

/** Calls back after each change of some files, and of the `.json` files of a folder; the answer ends that. */
export function watchFiles(files: readonly string[], folder: string | undefined, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const settle = () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, QUIET)
  }
  // Folders are watched in place of files: most editors put a new file in the place of the old one.
  const watchers: FSWatcher[] = files.map((file) =>
    watch(dirname(file), (_, name) => {
      if (name === null || name === basename(file)) settle()
    }),
  )
  if (folder !== undefined) {
    watchers.push(
      watch(folder, (_, name) => {
        if (name === null || name.endsWith('.json')) settle()
      }),
    )
  }
  for (const watcher of watchers) watcher.on('error', settle)
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
