#!/usr/bin/env node
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Io, StopSignal } from './io.js'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`flagdouble needs Node 20.19 or newer; this is ${major}.${minor}\n`)
  process.exit(2)
}

const cache = ownCacheFolder()
if (cache !== undefined && 'enableCompileCache' in module && typeof module.enableCompileCache === 'function') {
  module.enableCompileCache(cache)
}
// The build makes one CommonJS file of `main.ts`: Node loads it in less time than ES modules.
const { run } = module.createRequire(import.meta.url)('./cli.cjs') as typeof import('./main.js')

// nodemon restarts with SIGUSR2.
const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
const outputs = [process.stdout, process.stderr]

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  pid: process.pid,
  onSignal(listener) {
    for (const signal of signals) process.on(signal, listener)
    if (process.env.npm_lifecycle_event !== undefined) onOrphaned(() => listener('SIGTERM'))
  },
  readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
  askSecret,
}

/**
 * A folder for compiled code, which makes Node 22.1 and newer start in a fifth less time. Anyone with write access could
 * run code as this user, so it is below the user's own cache folder, and only the user can access it. Undefined if
 * unavailable.
 */
function ownCacheFolder(): string | undefined {
  const { env, platform, getuid } = process
  const base = (platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME) || join(homedir(), '.cache')
  const folder = join(base, 'flagdouble')
  try {
    // Below some folders, such as /proc, Node would try forever to create missing folders.
    for (const one of [base, folder]) if (!existsSync(one)) mkdirSync(one, { mode: 0o700 })
    if (platform === 'win32') return folder
    const found = lstatSync(folder)
    const isPrivate = found.isDirectory() && found.uid === getuid?.() && (found.mode & 0o077) === 0
    return isPrivate ? folder : undefined
  } catch {
    return undefined
  }
}

/** Asks the user at the terminal for a secret without showing it. Undefined without a terminal, or if the user cancels. */
async function askSecret(question: string): Promise<string | undefined> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  const { createInterface } = await import('node:readline')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  stderr.write(question)
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('SIGINT', () => resolve(undefined))
  })
  stderr.write('\n')
  lines.close()
  return answer
}

/**
 * Calls a function when the parent process is gone, unless a signal came before. In an npm script the parent is a shell:
 * npm sends its signals to the shell, and many shells end without forwarding them.
 */
function onOrphaned(listener: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    stopWatching()
    listener()
  }, 100).unref()
  const stopWatching = () => clearInterval(timer)
  for (const signal of signals) process.on(signal, stopWatching)
}

// A reader such as `head` can close the pipe early.
for (const output of outputs) output.on('error', () => undefined)

const exitCode = await run(process.argv.slice(2), io)
await Promise.all(outputs.map((output) => new Promise((resolve) => output.write('', resolve))))
// Otherwise Node removes the signal handlers before the process ends, and a second signal would kill it.
process.exit(exitCode)
