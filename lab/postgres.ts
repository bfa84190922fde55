import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './ports.js'

const run = promisify(execFile)

type Database = Readonly<Record<'host' | 'user' | 'password', string> & { port: number }>

/**
 * PostgreSQL on this machine: the one at `DATABASE_URL`, or one in a temporary folder, from Debian's package `postgresql`, which
 * stops when this process exits.
 */
export class Postgres {
  private constructor(readonly at: Database) {}

  static async start(): Promise<Postgres> {
    const { DATABASE_URL } = process.env
    if (DATABASE_URL === undefined) return new Postgres(await temporary())
    const { hostname, port, username, password } = new URL(DATABASE_URL)
    if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
      throw new Error(`DATABASE_URL can't name ${hostname}: the lab uses only databases of this machine.`)
    }
    return new Postgres({ host: '127.0.0.1', port: Number(port || 5432), user: username, password })
  }

  /** Replaces a database by an empty one, or by a copy of another. */
  async create(name: string, template?: string): Promise<void> {
    await this.run(`drop database if exists ${name} with (force)`)
    await this.run(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  }

  /** Runs an SQL statement in a database. */
  async run(statement: string, database = 'postgres'): Promise<void> {
    const { host, port, user, password } = this.at
    const where = ['-h', host, '-p', String(port), '-U', user, '-d', database]
    await run('psql', [...where, '-q', '-v', 'ON_ERROR_STOP=1', '-c', statement], {
      env: { ...process.env, PGPASSWORD: password },
    })
  }
}

async function temporary(): Promise<Database> {
  const programs = programFolder()
  const home = mkdtempSync(join(tmpdir(), 'flagdouble-lab-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const start = (program: string, ...flags: string[]) => {
    const command = [join(programs, program), '-D', join(home, 'data'), ...flags]
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
    execFileSync(file, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
  }
  if (isRoot) chownSync(home, Number(execFileSync('id', ['-u', 'postgres'])), 0)
  const port = await freePort()
  // The order of texts is that of the locale en_US.
  const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
  start('initdb', '-N', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', ...locale)
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off -c unix_socket_directories=${home}`
  start('pg_ctl', '-w', '-l', join(home, 'log'), '-o', settings, 'start')
  process.prependOnceListener('exit', () => start('pg_ctl', '-m', 'immediate', 'stop'))
  return { host: '127.0.0.1', port, user: 'postgres', password: '' }
}

function programFolder(): string {
  const root = '/usr/lib/postgresql'
  const [newest] = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : []
  if (newest === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql, or set DATABASE_URL.')
  return join(root, newest, 'bin')
}
