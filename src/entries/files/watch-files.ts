import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startStopwatch } from '../../support/clock.js'
import { isScenarioFile } from './sources.js'

/** The milliseconds between two checks. A change is complete when two checks in a row give the same result. */
const INTERVAL = 100

/** Checks take at most this fraction of the time, for any number of files; but the pause is never longer than the maximum. */
const SHARE = 30
const LONGEST_WAIT = 1000

/**
 * Calls a function after each change to the files, or to the folder's `.json` files. Resolves, after its first check, to
 * a function that stops it. It polls, because a listener misses changes behind a link, and a folder that was deleted and
 * created again.
 */
export async function watchFiles(
  files: readonly string[],
  folder: string | undefined,
  onChange: () => void,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let told = await fingerprint(files, folder)
  let last = told
  const look = async () => {
    const elapsed = startStopwatch()
    const seen = await fingerprint(files, folder)
    if (stopped) return
    if (seen === last && seen !== told) {
      told = seen
      onChange()
    }
    last = seen
    timer = setTimeout(look, Math.min(LONGEST_WAIT, Math.max(INTERVAL, SHARE * elapsed()))).unref()
  }
  timer = setTimeout(look, INTERVAL).unref()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

/** A text that differs after each change. */
async function fingerprint(files: readonly string[], folder: string | undefined): Promise<string> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => [])
  const inFolder = names.filter(isScenarioFile).map((name) => join(folder ?? '', name))
  const marks = [...files, ...inFolder].map(async (file) => {
    const found = await stat(file).catch(() => undefined)
    return `${file}:${found?.ino}:${found?.size}:${found?.mtimeMs}:${found?.ctimeMs}`
  })
  return (await Promise.all(marks)).join('\n')
}
