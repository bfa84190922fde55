import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage, after the targets of new weak references can be collected. */
export async function collect(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** The used bytes of the heap, without garbage. */
export async function heapUsed(): Promise<number> {
  await collect()
  return process.memoryUsage().heapUsed
}
