import { setImmediate as nextTurn } from 'node:timers/promises'
import { vi } from 'vitest'

/** Milliseconds that pass at each turn of the event loop. */
const STEP = 5

/** Runs something in which timers wait, in a time that passes faster than the real one. */
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
