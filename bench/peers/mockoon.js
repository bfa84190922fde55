// Writes Mockoon's file: create, read, update and delete over a list of one feature.
import { readFileSync, writeFileSync } from 'node:fs'

const { feature } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
const headers = [{ key: 'Content-Type', value: 'application/json' }]
const response = {
  uuid: 'response',
  body: '{}',
  latency: 0,
  statusCode: 200,
  label: '',
  headers: [],
  bodyType: 'DATABUCKET',
  databucketID: 'data',
  filePath: '',
  sendFileAsBody: false,
  rules: [],
  rulesOperator: 'OR',
  disableTemplating: true,
  fallbackTo404: false,
  default: true,
  crudKey: 'id',
  callbacks: [],
}
const route = {
  uuid: 'route',
  type: 'crud',
  documentation: '',
  method: '',
  endpoint: 'features',
  responses: [response],
  responseMode: null,
  streamingMode: null,
  streamingInterval: 0,
}
const environment = {
  uuid: 'environment',
  lastMigration: 33,
  name: 'bench',
  endpointPrefix: '',
  latency: 0,
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  folders: [],
  routes: [route],
  rootChildren: [{ type: 'route', uuid: 'route' }],
  proxyMode: false,
  proxyHost: '',
  proxyRemovePrefix: false,
  tlsOptions: { enabled: false },
  cors: true,
  headers,
  proxyReqHeaders: [],
  proxyResHeaders: [],
  data: [
    {
      uuid: 'bucket',
      id: 'data',
      name: 'features',
      documentation: '',
      value: JSON.stringify([{ id: 'first', ...feature }]),
    },
  ],
  callbacks: [],
}
writeFileSync(process.argv[2], JSON.stringify(environment))
