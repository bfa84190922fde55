// json-server with the same records. It only reads and updates: it has no clones and no secrets.
const { readFileSync } = require('node:fs')
const jsonServer = require('json-server')

const { feature, token } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
const server = jsonServer.create()
server.use(jsonServer.bodyParser)
server.use(
  jsonServer.router({ features: [{ ...feature, id: feature.name }], tokens: [{ ...token, id: token.secret }] }),
)
server.listen(Number(process.env.PORT), '127.0.0.1')
