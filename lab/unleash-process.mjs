// Runs Unleash in a process of its own, with the Node that it needs: node unleash-process.mjs FOLDER PORT CONTROL_PORT
// FOLDER is where `unleash-server` is installed. The control port takes POST /start (a database's name in the body), which
// starts Unleash anew, POST /stop, and POST /jobs, which runs the jobs that Unleash otherwise runs every few seconds.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const [folder, port, controlPort] = process.argv.slice(2)
const requireFrom = createRequire(join(folder, 'package.json'))
const load = (path) => import(pathToFileURL(requireFrom.resolve(path)).href)
const dist = join(folder, 'node_modules/unleash-server/dist/lib')
const loadOwn = (path) => import(pathToFileURL(join(dist, path)).href)

/** The jobs without which a response depends on the moment of the request. */
const JOBS = [
  ...['updateMaxRevisionId', 'publishUnannouncedEvents', 'bulkAddInstances', 'bulkAddMetrics', 'storeLastSeen'],
  ...['updateAccountLastSeen', 'flushUnknownFlags', 'fetchActiveTokens', 'pollApiTokenV2Changes'],
]
const jobs = new Map()
const { SchedulerService } = await loadOwn('features/scheduler/scheduler-service.js')
SchedulerService.prototype.schedule = async (job, _interval, name) => {
  jobs.set(name, job)
}
// Nothing leaves this machine: no integration, no mail, no check for a new version.
const { connect } = Socket.prototype
Socket.prototype.connect = function (...options) {
  const hosts = options.flat().map((option) => option?.host ?? option)
  if (!hosts.includes('127.0.0.1')) throw new Error(`The lab connects only to 127.0.0.1, not to ${hosts[0]}.`)
  return connect.apply(this, options)
}
globalThis.fetch = async (url) => {
  throw new Error(`The lab sends no request to ${url}`)
}
const { default: Addon } = await loadOwn('addons/addon.js')
Addon.prototype.fetchRetry = async () => ({ ok: false, status: 500 })

// Some requests make Unleash throw outside of a request, which would end the process. Here, it ends all connections.
const endConnections = () => running.server.closeAllConnections()
process.on('uncaughtException', endConnections)

const { start } = await loadOwn('server-impl.js')
const { register } = await load('prom-client')
/** Classes with one instance for the whole process: a new start needs a new one. */
const SINGLETONS = [
  ['features/feature-toggle/configuration-revision-service.js', 'default'],
  ['features/client-feature-toggles/delta/client-feature-toggle-delta.js', 'ClientFeatureToggleDelta'],
]
const { sharedEventEmitter } = await loadOwn('util/anyEventEmitter.js')
const singletons = await Promise.all(SINGLETONS.map(async ([path, name]) => (await loadOwn(path))[name]))

const handlers = {
  async '/stop'() {
    await running?.stop()
    running = undefined
    register.clear()
    jobs.clear()
    sharedEventEmitter.removeAllListeners()
    for (const singleton of singletons) singleton.instance = undefined
  },
  async '/start'(database) {
    await handlers['/stop']()
    // The migration of 8.2.0 leaves the text "undefined" in it.
    delete process.env.DATABASE_URL
    running = await start({ server: { host: '127.0.0.1', port: Number(port) }, db: { database } })
    // The migration leaves a listener that ends the process.
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', endConnections)
  },
  async '/jobs'() {
    for (const name of JOBS) await jobs.get(name)?.()
    // Listeners to events write on their own.
    await setTimeout(20)
  },
}

let running
const control = createServer(async (request, response) => {
  try {
    await handlers[request.url](await text(request))
    response.end()
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? error))
  }
}).listen(Number(controlPort), '127.0.0.1')
control.keepAliveTimeout = 0
await once(control, 'listening')
process.stdout.write('ready\n')
