// Uses the types of every subpath. The check is strict and includes the package's own declarations.
import {
  createMock,
  defineScenario,
  type JournalEntry,
  type Mock,
  type Scenario,
  type State,
  scenarios,
} from 'flagdouble'
import { type RunningWorker, type StartWorkerOptions, startWorker } from 'flagdouble/browser'
import { createHandlers, listenOptions } from 'flagdouble/msw'
import { type RunningServer, startServer } from 'flagdouble/node'
import { setupServer } from 'msw/node'
import given from './commonjs/given.json' with { type: 'json' }

const own = defineScenario({ name: 'own', title: 'Own', promise: 'It is known.', extends: 'default' })
const name: 'own' = own.name
const known: readonly Scenario[] = scenarios
export const mock: Mock = createMock({ scenarios: [...known, own], scenario: name, now: new Date(), seed: 1 })
export const fromFile: Mock = createMock({ fixtures: given.fixtures, scenarios: [given.scenario] })
export const snapshot: State = mock.state()
export const created: string | null | undefined = mock.features.get('checkout-redesign')?.createdAt
export const entries: JournalEntry[] = mock.requests.find({ operation: 'cloneFeature', status: 403 })
export const undo: () => void = mock.force({ operation: 'cloneFeature', status: 503, times: 2 })

const server = setupServer(...createHandlers(mock))
server.listen(listenOptions())

export async function start(): Promise<[RunningServer, RunningWorker]> {
  const options: StartWorkerOptions = { badge: true, scenario: 'empty', fixtures: given.fixtures }
  return [await startServer(mock, { port: 0 }), await startWorker(options)]
}

// @ts-expect-error There is no such operation.
mock.force({ operation: 'cloneFeatur', status: 503 })
// @ts-expect-error There is no such option.
createMock({ scenari: 'empty' })
