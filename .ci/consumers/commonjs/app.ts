// The types of handlers must be msw's CommonJS types.
import { createMock, defineScenario, featureSchema, type Mock } from 'flagdouble'
import { type StartWorkerOptions, startWorker } from 'flagdouble/browser'
import { withFlagdouble } from 'flagdouble/jest'
import { createHandlers, listenOptions } from 'flagdouble/msw'
import { startServer } from 'flagdouble/node'
import { useMock } from 'flagdouble/vitest'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import given from './given.json'

const own = defineScenario({ name: 'own', title: 'Own', promise: 'It is known.', extends: 'default' })
export const mock: Mock = createMock({ scenarios: [own], scenario: 'own' })
export const created: string | null | undefined = mock.features.get('checkout-redesign')?.createdAt
export const parsed = featureSchema.parse({}).name.toUpperCase()
// TypeScript types the texts of a file as string.
export const fromFile: Mock = createMock({ fixtures: given.fixtures, scenarios: [given.scenario] })
// @ts-expect-error There is no such option.
createMock({ scenari: 'empty' })

const server = setupServer(...createHandlers(mock))
server.listen(listenOptions())
export const shared = useMock({ handlers: [http.get('*', () => HttpResponse.text('own'))] })
export const joined = useMock({ server })
export const config = withFlagdouble({ preset: 'ts-jest' })
export const options: StartWorkerOptions = { badge: true, handlers: createHandlers(mock), fixtures: given.fixtures }
export const start = async () => [await startServer(mock, { port: 0 }), await startWorker(options)]
