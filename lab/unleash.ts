import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { INIT_VARIABLES, Server } from '../test/fidelity/exchange.js'
import { freePort } from './ports.js'
import type { Postgres } from './postgres.js'

/** Installs a release of Unleash, with the Node that it runs on, unless it is there. Returns the folder. */
export function installRelease(lab: string, release: string, node: string): string {
  const folder = join(lab, 'releases', release)
  if (existsSync(join(folder, 'node_modules/unleash-server'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const platform = `node-${process.platform}-${process.arch}@${node}`
  const flags = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  execFileSync('npm', [...flags, `unleash-server@${release}`, `own-node@npm:${platform}`], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return folder
}

const TEMPLATE = 'lab_template'
const DATABASE = 'lab'

/**
 * A running Unleash on 127.0.0.1, until `stop` or the exit of this process. It sends nothing: telemetry, checks for new versions
 * and integrations are off.
 */
export class Unleash {
  private constructor(
    private readonly postgres: Postgres,
    private readonly process: ChildProcess,
    private readonly control: string,
    private readonly users: Server,
  ) {}

  /** Starts a release, and keeps its migrated database, with the callers' users, as a template. */
  static async start(folder: string, script: string, postgres: Postgres): Promise<Unleash> {
    const [port, controlPort] = [await freePort(), await freePort()]
    const { host, port: databasePort, user, password } = postgres.at
    const node = join(folder, 'node_modules/own-node/bin/node')
    const child = spawn(node, [script, folder, String(port), String(controlPort)], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        ...INIT_VARIABLES,
        ...NO_LIMITS,
        NODE_ENV: 'production',
        TZ: 'UTC',
        DATABASE_HOST: host,
        DATABASE_PORT: String(databasePort),
        DATABASE_USERNAME: user,
        DATABASE_PASSWORD: password,
        DATABASE_SSL: 'false',
        DATABASE_POOL_MAX: '20',
        CHECK_VERSION: 'false',
        SEND_TELEMETRY: 'false',
        UNLEASH_URL: 'http://localhost:4242',
      },
    })
    process.once('exit', () => child.kill('SIGKILL'))
    await once(createInterface({ input: child.stdout }), 'line')
    const users = new Server(`http://127.0.0.1:${port}`)
    const unleash = new Unleash(postgres, child, `http://127.0.0.1:${controlPort}`, users)
    await postgres.create(TEMPLATE)
    await unleash.#order('/start', TEMPLATE)
    await users.addUsers()
    await unleash.#order('/stop', '')
    // The mock logs no events of the tokens in environment variables.
    await postgres.run("delete from events where type = 'api-token-created'", TEMPLATE)
    return unleash
  }

  /** The server with a new database, with nothing but the callers' users. */
  async fresh(): Promise<Server> {
    await this.#order('/stop', '')
    await this.postgres.create(DATABASE, TEMPLATE)
    await this.restart()
    return new Server(this.users.url, this.users)
  }

  /** Stops the server and starts it with its data. */
  async restart(): Promise<void> {
    await this.#order('/start', DATABASE)
  }

  /** Runs the jobs of Unleash: metrics are counted, dates of last use are stored, the revision is read. */
  async runJobs(): Promise<void> {
    await this.#order('/jobs', '')
  }

  async #order(path: string, body: string): Promise<void> {
    const response = await fetch(this.control + path, { method: 'POST', body })
    if (!response.ok) throw new Error(`Unleash: ${await response.text()}`)
  }

  stop(): void {
    this.process.kill('SIGKILL')
  }
}

/** The lab sends more requests in a minute than a user. */
const NO_LIMITS = Object.fromEntries(
  [
    ...['REGISTER_CLIENT_RATE', 'CLIENT_METRICS_RATE', 'REGISTER_FRONTEND_RATE', 'FRONTEND_METRICS_RATE'],
    ...['CREATE_USER_RATE', 'SIMPLE_LOGIN', 'AUTHENTICATION_RATE', 'PASSWORD_RESET', 'TOKEN_AUTHENTICATION_RATE'],
    ...['SDK_API_RATE', 'SEARCH_FEATURES_RATE'],
  ].map((name) => [`${name}_LIMIT_PER_MINUTE`, '1000000']),
)
