// flagdouble as `npx flagdouble` runs it, with BENCH_FEATURES generated features. BENCH_DIST names another build.
import { pathToFileURL } from 'node:url'

const dist =
  process.env.BENCH_DIST === undefined ? new URL('../../dist/', import.meta.url) : pathToFileURL(process.env.BENCH_DIST)
const { createMock } = await import(new URL('index.js', dist))
const { startServer } = await import(new URL('node.js', dist))

const features = Number(process.env.BENCH_FEATURES ?? 0)
const scenario = {
  name: 'bench',
  title: 'Bench',
  promise: 'Many features.',
  extends: 'default',
  generate: { features },
}
const mock = createMock(features > 0 ? { scenario } : {})
await mock.ready
await startServer(mock, { port: Number(process.env.PORT) })
