import { readFileSync } from 'node:fs'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { thousandTests } from './calls.js'

const { feature, token } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
const features = '*/api/admin/projects/:project/features/:feature'
const tokens = '*/api/admin/invite-link/tokens/:token'
const server = setupServer(
  http.get(features, () => HttpResponse.json(feature)),
  http.post(`${features}/clone`, () => HttpResponse.json(feature)),
  http.get(tokens, () => HttpResponse.json(token)),
  http.put(tokens, () => HttpResponse.json(token)),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())
thousandTests()
