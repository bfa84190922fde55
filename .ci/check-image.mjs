// Checks the container image as far as possible without Docker: copies the files that .dockerignore allows, runs the
// Dockerfile's own commands in temporary folders, then starts the server by each command in setups of Unleash's image,
// checks its health as the Dockerfile and Unleash's compose file do, and stops it.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const MAX_COPIED = 4_000_000
const MAX_INSTALLED = 40_000_000

/** The image's user; the server also runs as this user here, if root runs this script. */
const USER = 1000

/** Start arguments of containers with Unleash's image, or with this image. */
const STARTS = [undefined, ['start', '--journal-size', '10'], ['node', 'index.js'], ['node', 'dist/server.js']]
/** Only the image's busybox shell replaces itself by its last command, which then gets the signals. */
const SHELL_START = ['sh', '-c', 'sleep 0.1 && node index.js']

const work = mkdtempSync(join(tmpdir(), 'flagdouble-image-'))
chmodSync(work, 0o755)
const [context, packages, root] = ['context', 'packages', 'root'].map((name) => join(work, name))
const app = join(root, 'unleash')
const command = join(root, 'usr/local/bin/flagdouble')
const stages = readStages(readFileSync('Dockerfile', 'utf8'))
const [build, install, image] = stages
const port = 4300 + (process.pid % 1000)
try {
  checkBases()
  copyContext()
  const copied = sizeOf(context)
  assert.ok(copied < MAX_COPIED, `${copied} bytes are copied into the image; .dockerignore lets too much through`)
  // The first stage installs the packages in this folder: .ci/run has just installed them from the same lock file.
  const [first, ...commands] = all(build, 'RUN')
  assert.equal(first, 'npm ci --ignore-scripts')
  execFileSync('sh', ['-c', 'cp -al node_modules "$0" 2>&- || cp -a node_modules "$0"', context])
  for (const command of commands) run(command, context)
  follow(install, packages)
  mkdirSync(root)
  follow(image, app)
  writeFileSync(command, readFileSync(command, 'utf8').replaceAll('/unleash/', `${app}/`))

  assert.deepEqual(readdirSync(app).sort(), ['dist', 'index.js', 'node_modules', 'package.json'])
  const installed = sizeOf(app)
  assert.ok(installed < MAX_INSTALLED, `${installed} bytes are installed`)
  assert.deepEqual([all(image, 'USER'), all(image, 'EXPOSE')], [[String(USER)], ['4242']])
  const isFirst = isFirstProcess()
  const hasBusybox = linkBusybox()
  for (const start of [...STARTS, ...(hasBusybox ? [SHELL_START] : [])]) await checkServer(start, isFirst)
  assert.equal(sizeOf(app), installed, 'it writes into its own folder')
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(`copied: ${megabytes(copied)}; installed: ${megabytes(installed)}\n`)
  if (!isFirst) process.stdout.write('not started as process 1: that needs the right to unshare\n')
  if (!hasBusybox) process.stdout.write("not started by sh -c, nor asked by the image's wget: that needs busybox\n")
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Commands run on the architecture of the build; the last stage runs none, and is the only stage for each target. */
function checkBases() {
  assert.equal(stages.length, 3)
  for (const stage of [build, install]) assert.match(all(stage, 'FROM')[0], /^--platform=\$BUILDPLATFORM node:/)
  // The image has a shell and wget, which health checks call.
  assert.match(all(image, 'FROM')[0], /^node:\d+-alpine$/)
  assert.deepEqual(all(image, 'RUN'), [])
}

/** The instructions of each stage, [name, rest], without comments. Continued lines are joined. */
function readStages(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const stages = []
  for (const line of lines.filter((one) => one !== '')) {
    const [, name, rest] = /^(\w+) (.*)$/.exec(line)
    if (name === 'FROM') stages.push([])
    stages.at(-1).push([name, rest])
  }
  return stages
}

/** The arguments of each instruction with a name. */
function all(stage, name) {
  return stage.filter(([one]) => one === name).map(([, rest]) => rest)
}

function copyContext() {
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  const isIgnored = (name) => ignored.some((rule) => name === rule || (rule === '*.tgz' && name.endsWith('.tgz')))
  mkdirSync(context)
  for (const name of readdirSync('.').filter((one) => !isIgnored(one))) {
    cpSync(name, join(context, name), { recursive: true })
  }
}

/** Repeats a stage in a folder. */
function follow(stage, folder) {
  mkdirSync(folder)
  for (const [name, rest] of stage) {
    if (name === 'COPY') copy(rest, folder)
    if (name === 'RUN') run(rest, folder, { npm_config_cache: join(work, 'cache') })
  }
}

/** COPY FILE… FOLDER/ or COPY FOLDER NAME, from the context or, with --from, from the folder of an earlier stage. */
function copy(rest, folder) {
  const parts = rest.split(' ')
  const names = parts.filter((part) => !part.startsWith('--'))
  const mode = parts.find((part) => part.startsWith('--chmod='))?.slice('--chmod='.length)
  const target = names.pop()
  const into = target.startsWith('/') ? join(root, target) : join(folder, target)
  for (const name of names) {
    const source = join(work, name.replace(/^\/build\//, '/context/'))
    const from = name.startsWith('/') ? source : join(context, name)
    const to = target.endsWith('/') ? join(into, basename(name)) : into
    cpSync(from, to, { recursive: true })
    if (mode !== undefined) chmodSync(to, Number.parseInt(mode, 8))
  }
}

function run(command, cwd, env = {}) {
  const stdio = ['ignore', 'ignore', 'inherit']
  execFileSync('sh', ['-c', command], { cwd, env: { ...process.env, ...env }, stdio })
}

async function checkServer(start = JSON.parse(all(image, 'CMD')[0]), isFirst) {
  const pairs = all(image, 'ENV').flatMap((rest) => rest.split(' '))
  const env = Object.fromEntries(pairs.map((pair) => /^([^=]+)=(.*)$/.exec(pair).slice(1)))
  assert.equal(env.FLAGDOUBLE_HOST, '::')
  const [health] = all(image, 'HEALTHCHECK')
  assert.match(health, /^--interval=2s .*--start-period=30s --start-interval=200ms CMD /)
  const check = JSON.parse(health.replace(/^.*? CMD /, ''))
  assert.deepEqual([JSON.parse(all(image, 'ENTRYPOINT')[0]), check[0]], [['flagdouble'], 'flagdouble'])
  const given = {
    ...env,
    PATH: `${join(root, 'usr/local/bin')}:${join(process.execPath, '..')}:${process.env.PATH}`,
    // It can't write anywhere, as in a read-only file system: root owns all folders that it could choose.
    HOME: app,
    TMPDIR: app,
    PORT: String(port),
    DATABASE_URL: 'postgres://postgres:unleash@db/db',
  }
  const user = process.getuid() === 0 ? { uid: USER, gid: USER } : {}
  const options = { cwd: app, env: given, stdio: ['ignore', 'pipe', 'ignore'] }
  const server = isFirst
    ? spawn('unshare', ['--pid', '--fork', `--setgid=${USER}`, `--setuid=${USER}`, command, ...start], options)
    : spawn(command, start, { ...options, ...user })
  const exit = once(server, 'exit')
  await Promise.race([lineOf(server, 'Unleash has started.'), exit.then(([code]) => assert.fail(`exit ${code}`))])

  const quiet = { ...options, ...user, stdio: 'ignore' }
  execFileSync(command, check.slice(1), quiet)
  // As in Unleash's compose file.
  const probe = `wget --no-verbose --tries=1 --spider http://localhost:${port}/health || exit 1`
  execFileSync('sh', ['-c', probe], { ...quiet, env: given })
  // A client that keeps its connection doesn't delay the stop.
  assert.equal((await fetch(`http://127.0.0.1:${port}/auth/simple/login`)).status, 200)
  process.kill(isFirst ? childOf(server.pid) : server.pid, 'SIGTERM')
  assert.deepEqual(await exit, [0, null], `it is stopped: ${start.join(' ')}`)
  assert.throws(() => execFileSync(command, check.slice(1), quiet))
}

/** Makes commands use busybox's shell and wget, like the image, if this machine has busybox. */
function linkBusybox() {
  try {
    const busybox = execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim()
    for (const name of ['sh', 'wget']) symlinkSync(busybox, join(root, 'usr/local/bin', name))
    return true
  } catch {
    return false
  }
}

/** Whether this user can start the server as the first process of a namespace, as in a container. */
function isFirstProcess() {
  try {
    execFileSync('unshare', ['--pid', '--fork', `--setgid=${USER}`, `--setuid=${USER}`, 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function childOf(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

function lineOf({ stdout }, expected) {
  let text = ''
  return new Promise((resolve) => {
    stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      if (text.split('\n').includes(expected)) resolve()
    })
  })
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => statSync(join(folder, file)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
