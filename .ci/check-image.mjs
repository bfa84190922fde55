// Checks what a container image would be, without Docker: copies what .dockerignore lets through, runs the Dockerfile's
// own commands in temporary folders, then starts what it starts, and asks for its health as it does.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAX_COPIED = 4_000_000
const MAX_INSTALLED = 40_000_000

const work = mkdtempSync(join(tmpdir(), 'flagdouble-image-'))
const context = join(work, 'context')
const [build, image] = readStages(readFileSync('Dockerfile', 'utf8'))
const port = 4300 + (process.pid % 1000)
try {
  copyContext()
  const copied = sizeOf(context)
  assert.ok(copied < MAX_COPIED, `${copied} bytes are copied into the image; .dockerignore lets too much through`)
  // The first stage installs what this folder has: .ci/run has just installed it from the same lock file.
  const [install, ...commands] = all(build, 'RUN')
  assert.equal(install, 'npm ci --ignore-scripts')
  execFileSync('sh', ['-c', 'cp -al node_modules "$0" 2>&- || cp -a node_modules "$0"', context])
  for (const command of commands) run(command, context)

  const app = join(work, 'app')
  mkdirSync(app)
  for (const [name, rest] of image) {
    if (name === 'COPY') copy(rest, app)
    if (name === 'RUN') run(rest, app, { npm_config_cache: join(work, 'cache') })
  }
  const expected = ['.npmrc', 'dist', 'node_modules', 'package-lock.json', 'package.json']
  assert.deepEqual(readdirSync(app).sort(), expected)
  const installed = sizeOf(app)
  assert.ok(installed < MAX_INSTALLED, `${installed} bytes are installed`)

  assert.deepEqual([all(image, 'USER'), all(image, 'EXPOSE')], [['node'], ['4242']])
  await checkServer(app)
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(`copied: ${megabytes(copied)}; installed: ${megabytes(installed)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
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

/** COPY FILE… FOLDER, from the context or, with --from, from the stage that was built in it. */
function copy(rest, app) {
  const names = rest.split(' ').filter((part) => part !== '--from=build')
  const target = names.pop()
  for (const name of names) {
    const source = join(context, name.replace(/^\/build\//, ''))
    cpSync(source, target === './' ? join(app, name) : join(app, target), { recursive: true })
  }
}

function run(command, cwd, env = {}) {
  const stdio = ['ignore', 'ignore', 'inherit']
  execFileSync('sh', ['-c', command], { cwd, env: { ...process.env, ...env }, stdio })
}

async function checkServer(app) {
  const env = Object.fromEntries(all(image, 'ENV').map((pair) => pair.split('=')))
  assert.equal(env.FLAGDOUBLE_HOST, '0.0.0.0')
  const [program, ...args] = [...JSON.parse(all(image, 'ENTRYPOINT')[0]), ...JSON.parse(all(image, 'CMD')[0])]
  const given = { PATH: process.env.PATH, ...env, FLAGDOUBLE_PORT: String(port) }
  const server = spawn(program, args, { cwd: app, env: given, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(server.stdout, 'data')
  const [health, ...healthArgs] = JSON.parse(all(image, 'HEALTHCHECK')[0].replace(/^.*? CMD /, ''))
  execFileSync(health, healthArgs, { cwd: app, env: given })
  server.kill('SIGTERM')
  assert.deepEqual(await once(server, 'exit'), [0, null])
  assert.throws(() => execFileSync(health, healthArgs, { cwd: app, env: given }))
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => statSync(join(folder, file)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
