import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage, once what a weak reference was made for can go. */
export async function collect(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Bytes of the heap that are in use, without garbage. */
export async function heapUsed(): Promise<number> {
  await collect()
  return process.memoryUsage().heapUsed
}
