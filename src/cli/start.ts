import { startStopwatch } from '../support/clock.js'
import { announce } from './banner.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'
import { launch } from './launch.js'

/** Milliseconds within which a second signal counts as the same: npm forwards a Ctrl-C that already reached us. */
const SAME_SIGNAL = 100

/** `flagdouble start`: serves until a signal stops it; a second one stops it at once. */
export async function start(flags: StartFlags, io: Io): Promise<number> {
  const { server, stop } = await launch(flags, io)
  const stopped = new Promise<void>((resolve, reject) => {
    let sinceFirst: (() => number) | undefined
    io.onSignal(() => {
      if (sinceFirst === undefined) {
        sinceFirst = startStopwatch()
        stop().then(resolve, reject)
      } else if (sinceFirst() > SAME_SIGNAL) {
        // The first call reports a failure.
        stop(0).catch(() => undefined)
      }
    })
  })
  announce(server, flags, io)
  await stopped
  return 0
}
