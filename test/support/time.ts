import { setImmediate as nextTurn } from 'node:timers/promises'
import { vi } from 'vitest'

/** The milliseconds that pass at each turn of the event loop. */
const STEP = 5

/** Runs a function with timers in accelerated time. */
export async function inFastTime<Value>(work: () => Promise<Value>): Promise<Value> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    let isDone = false
    const result = work().finally(() => {
      isDone = true
    })
    void result.catch(() => undefined)
    while (!isDone) {
      await nextTurn()
      vi.advanceTimersByTime(STEP)
    }
    return await result
  } finally {
    vi.useRealTimers()
  }
}
