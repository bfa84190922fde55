import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './markdown.js'

const run = promisify(execFile)

/** The maximum milliseconds of a run. */
const PATIENCE = 60_000

/** A user's project in a separate folder, with flagdouble and all our packages installed. */
export interface Consumer {
  path: string
  put(name: string, content: string): string
  /** Runs Node in it; resolves to its output, rejects for an exit code other than 0. */
  node(...args: string[]): Promise<string>
  /** Starts Node in it; resolves when its output matches, to the first group of the match. */
  start(until: RegExp, ...args: string[]): Promise<{ child: ChildProcess; found: string }>
  remove(): void
}

export function createConsumer(): Consumer {
  const path = mkdtempSync(join(tmpdir(), 'flagdouble-consumer-'))
  install(path)
  const env = {
    ...process.env,
    FLAGDOUBLE_PORT: '0',
    FLAGDOUBLE_KEY: 'user:mock-admin',
    NO_COLOR: '1',
    VITEST: undefined,
    NODE_OPTIONS: undefined,
  }
  return {
    path,
    put(name, content) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    async node(...args) {
      try {
        return (await run(process.execPath, args, { cwd: path, env, timeout: PATIENCE })).stdout
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
      }
    },
    start(until, ...args) {
      const child = spawn(process.execPath, args, { cwd: path, env })
      return new Promise((resolve, reject) => {
        let output = ''
        const listen = (chunk: Buffer) => {
          output += chunk
          const match = until.exec(output)
          if (match !== null) resolve({ child, found: match[1] ?? '' })
        }
        child.stdout.on('data', listen)
        child.stderr.on('data', listen)
        child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${output}`)))
      })
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

function install(path: string): void {
  writeFileSync(
    join(path, 'package.json'),
    '{ "type": "module", "scripts": { "e2e": "node e2e.js", "test": "node e2e.js" } }',
  )
  const modules = join(path, 'node_modules')
  mkdirSync(join(modules, 'flagdouble'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  copyFileSync(join(root, 'package.json'), join(modules, 'flagdouble', 'package.json'))
  cpSync(join(root, 'dist'), join(modules, 'flagdouble', 'dist'), { recursive: true })
}
