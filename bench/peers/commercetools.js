// commercetools-mock, with one custom object.
import { readFileSync } from 'node:fs'
import { CommercetoolsMock } from '@labdigital/commercetools-mock'

const { feature } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
const mock = new CommercetoolsMock({
  defaultProjectKey: 'bench',
  enableAuthentication: false,
  validateCredentials: false,
  silent: true,
})
await mock.project().unsafeAdd('key-value-document', {
  id: 'first',
  version: 1,
  createdAt: '2026-11-26T12:00:00.000Z',
  lastModifiedAt: '2026-11-26T12:00:00.000Z',
  container: 'features',
  key: 'first',
  value: feature,
})
await mock.runServer(Number(process.env.PORT))
