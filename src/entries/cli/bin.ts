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
const { run } = await import('./main.js')

const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
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
  askSecret,
}

/**
 * A folder for compiled code, with which Node 22.1 and newer start in a fifth less time. Who can write there can run code as
 * this user, so it is below the user's own folder for such things, and nobody else's. Undefined where there is none.
 */
function ownCacheFolder(): string | undefined {
  const { env, platform, getuid } = process
  const base = (platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME) || join(homedir(), '.cache')
  const folder = join(base, 'flagdouble')
  try {
    // Below some folders, such as /proc, Node tries for ever to make all that is missing.
    for (const one of [base, folder]) if (!existsSync(one)) mkdirSync(one, { mode: 0o700 })
    if (platform === 'win32') return folder
    const found = lstatSync(folder)
    const isOwn = found.isDirectory() && found.uid === getuid?.() && (found.mode & 0o077) === 0
    return isOwn ? folder : undefined
  } catch {
    return undefined
  }
}

/** Asks a person at the terminal for a secret, which does not appear. Undefined if nobody is there, or if they stop it. */
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
 * Calls back when the parent is gone, unless a signal has come before. In an npm script the parent is a shell: npm sends
 * the signals that it gets to that shell, and many a shell ends without passing them on.
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

// A reader such as `head` may close the pipe early.
for (const output of outputs) output.on('error', () => undefined)

const exitCode = await run(process.argv.slice(2), io)
await Promise.all(outputs.map((output) => new Promise((resolve) => output.write('', resolve))))
// Without this, Node takes the signal handlers away before the process ends, and a second signal would still kill it.
process.exit(exitCode)
