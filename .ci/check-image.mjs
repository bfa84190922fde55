// Checks what a container image would be, without Docker: copies what .dockerignore lets through, runs the Dockerfile's
// own commands in temporary folders, then starts what it starts, and asks for its health as it does.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAX_COPIED = 4_000_000
const MAX_INSTALLED = 40_000_000

const work = mkdtempSync(join(tmpdir(), 'flagdouble-image-'))
const [build, image] = readStages(readFileSync('Dockerfile', 'utf8'))
const port = 4300 + (process.pid % 1000)
try {
  const context = join(work, 'build')
  copyContext(context)
  const copied = sizeOf(context)
  assert.ok(copied < MAX_COPIED, `${copied} bytes are copied into the image; .dockerignore lets too much through`)
  // The packages that are here already need not be installed again. Hard links work within a file system.
  execFileSync('sh', ['-c', 'cp -al node_modules "$0" 2>&- || cp -a node_modules "$0"', context])
  for (const command of build.RUN) run(command, context)

  const app = join(work, 'app')
  mkdirSync(app)
  assert.deepEqual(image.COPY, ['--from=build /build/flagdouble.tgz .'])
  copyFileSync(join(context, 'flagdouble.tgz'), join(app, 'flagdouble.tgz'))
  for (const command of image.RUN) run(command, app)
  assert.deepEqual(readdirSync(app).sort(), ['node_modules', 'package-lock.json', 'package.json'])
  const installed = sizeOf(app)
  assert.ok(installed < MAX_INSTALLED, `${installed} bytes are installed`)

  assert.deepEqual([image.USER, image.EXPOSE], [['node'], ['4242']])
  await checkServer(app)
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(`copied: ${megabytes(copied)}; installed: ${megabytes(installed)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The instructions of each stage, by name, without comments. Continued lines are joined. */
function readStages(text) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const stages = []
  for (const line of lines.filter((one) => one !== '')) {
    const [, name, rest] = /^(\w+) (.*)$/.exec(line)
    if (name === 'FROM') stages.push({ COPY: [], RUN: [], ENV: [] })
    const stage = stages.at(-1)
    stage[name] ??= []
    stage[name].push(rest)
  }
  return stages
}

function copyContext(folder) {
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  const isIgnored = (name) => ignored.some((rule) => name === rule || (rule === '*.tgz' && name.endsWith('.tgz')))
  mkdirSync(folder)
  for (const name of readdirSync('.').filter((one) => !isIgnored(one))) {
    cpSync(name, join(folder, name), { recursive: true })
  }
}

/** The image's npm cache is its own: the last command empties it. */
function run(command, cwd) {
  const cache = cwd.endsWith('app') ? { npm_config_cache: join(work, 'cache') } : {}
  execFileSync('sh', ['-c', command], {
    cwd,
    env: { ...process.env, ...cache },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function checkServer(app) {
  const env = Object.fromEntries(image.ENV.map((pair) => pair.split('=')))
  assert.equal(env.FLAGDOUBLE_HOST, '0.0.0.0')
  const [program, ...args] = [...JSON.parse(image.ENTRYPOINT[0]), ...JSON.parse(image.CMD[0])]
  const given = { PATH: process.env.PATH, ...env, FLAGDOUBLE_PORT: String(port) }
  const server = spawn(program, args, { cwd: app, env: given, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(server.stdout, 'data')
  const [health, ...healthArgs] = JSON.parse(image.HEALTHCHECK[0].replace(/^.*? CMD /, ''))
  execFileSync(health, healthArgs, { cwd: app, env: given })
  server.kill('SIGTERM')
  assert.deepEqual(await once(server, 'exit'), [0, null])
  assert.throws(() => execFileSync(health, healthArgs, { cwd: app, env: given }))
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => statSync(join(folder, file)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
