// flagdouble as `npx flagdouble` runs it, with BENCH_FEATURES generated features.
import { createMock } from '../../dist/index.js'
import { startServer } from '../../dist/node.js'

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
