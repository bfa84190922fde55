// Checks what a container image would be, without Docker: copies what .dockerignore lets through, runs the Dockerfile's
// own commands in temporary folders, then starts what it starts, and asks for its health as it does.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAX_COPIED = 4_000_000
const MAX_INSTALLED = 40_000_000

/** Where the image has Node. It has no shell and no other program. */
const NODE = '/nodejs/bin/node'
/** The user that the image runs as; the server does so here, too, if root runs this script. */
const USER = 65532

const work = mkdtempSync(join(tmpdir(), 'flagdouble-image-'))
chmodSync(work, 0o755)
const [context, packages, app] = ['context', 'packages', 'app'].map((name) => join(work, name))
const stages = readStages(readFileSync('Dockerfile', 'utf8'))
const [build, install, image] = stages
const port = 4300 + (process.pid % 1000)
try {
  checkBases()
  copyContext()
  const copied = sizeOf(context)
  assert.ok(copied < MAX_COPIED, `${copied} bytes are copied into the image; .dockerignore lets too much through`)
  // The first stage installs what this folder has: .ci/run has just installed it from the same lock file.
  const [first, ...commands] = all(build, 'RUN')
  assert.equal(first, 'npm ci --ignore-scripts')
  execFileSync('sh', ['-c', 'cp -al node_modules "$0" 2>&- || cp -a node_modules "$0"', context])
  for (const command of commands) run(command, context)
  follow(install, packages)
  follow(image, app)

  assert.deepEqual(readdirSync(app).sort(), ['dist', 'node_modules', 'package.json'])
  const installed = sizeOf(app)
  assert.ok(installed < MAX_INSTALLED, `${installed} bytes are installed`)
  assert.deepEqual([all(image, 'USER'), all(image, 'EXPOSE')], [[String(USER)], ['4242']])
  await checkServer()
  assert.equal(sizeOf(app), installed, 'it writes into its own folder')
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(`copied: ${megabytes(copied)}; installed: ${megabytes(installed)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Whatever runs a command is of the architecture that builds; the last stage runs none, and is the only one for each. */
function checkBases() {
  assert.equal(stages.length, 3)
  for (const stage of [build, install]) assert.match(all(stage, 'FROM')[0], /^--platform=\$BUILDPLATFORM node:/)
  assert.match(all(image, 'FROM')[0], /^gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot$/)
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

/** What follows each instruction of that name. */
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

/** Does in a folder what a stage does in its own. */
function follow(stage, folder) {
  mkdirSync(folder)
  for (const [name, rest] of stage) {
    if (name === 'COPY') copy(rest, folder)
    if (name === 'RUN') run(rest, folder, { npm_config_cache: join(work, 'cache') })
  }
}

/** COPY FILE… FOLDER, from the context or, with --from, from the folder of an earlier stage. */
function copy(rest, folder) {
  const names = rest.split(' ').filter((part) => !part.startsWith('--from='))
  const target = names.pop()
  for (const name of names) {
    const source = join(work, name.replace(/^\/build\//, '/context/'))
    const from = name.startsWith('/') ? source : join(context, name)
    cpSync(from, target === './' ? join(folder, name) : join(folder, target), { recursive: true })
  }
}

function run(command, cwd, env = {}) {
  const stdio = ['ignore', 'ignore', 'inherit']
  execFileSync('sh', ['-c', command], { cwd, env: { ...process.env, ...env }, stdio })
}

async function checkServer() {
  const env = Object.fromEntries(all(image, 'ENV').map((pair) => pair.split('=')))
  assert.equal(env.FLAGDOUBLE_HOST, '0.0.0.0')
  const [program, ...args] = [...JSON.parse(all(image, 'ENTRYPOINT')[0]), ...JSON.parse(all(image, 'CMD')[0])]
  const [health, ...healthArgs] = JSON.parse(all(image, 'HEALTHCHECK')[0].replace(/^.*? CMD /, ''))
  assert.deepEqual([program, health], [NODE, NODE])
  // It may write nowhere, as in a read-only file system: all folders that it could choose are root's.
  const given = { ...env, HOME: app, TMPDIR: app, FLAGDOUBLE_PORT: String(port) }
  const user = process.getuid() === 0 ? { uid: USER, gid: USER } : {}
  const options = { cwd: app, env: given, ...user }
  const server = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
  await Promise.race([once(server.stdout, 'data'), once(server, 'exit').then(([code]) => assert.fail(`exit ${code}`))])
  execFileSync(process.execPath, healthArgs, options)
  server.kill('SIGTERM')
  assert.deepEqual(await once(server, 'exit'), [0, null])
  assert.throws(() => execFileSync(process.execPath, healthArgs, options))
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => statSync(join(folder, file)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
