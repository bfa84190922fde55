import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cli } from '../support/build.js'
import { scratchFolder } from '../support/cli.js'
import { ADMIN } from '../support/doors.js'

/** How long to wait for what another process does. */
const PATIENCE = { timeout: 10_000 }

interface Running {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the exit code; null where a signal ended it. */
  exit: Promise<number | null>
}

/** Everything that was started, by tests that run at the same time. */
const started: Pick<Running, 'child' | 'exit'>[] = []
afterAll(async () => {
  for (const { child, exit } of started) {
    child.kill('SIGKILL')
    await exit
  }
})

function launch(command: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(command, args, { cwd: join(import.meta.dirname, '..', '..'), env: { ...process.env, ...env } })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    written.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk
  })
  const exit = once(child, 'close').then(([code]) => code as number | null)
  started.push({ child, exit })
  return { child, stdout: () => written.stdout, stderr: () => written.stderr, exit }
}

const flagdouble = (...args: string[]) => launch(process.execPath, [cli, ...args])

async function serve(...args: string[]): Promise<Running & { at: string; pid: number }> {
  return ready(flagdouble('start', '--port', '0', '--json', ...args))
}

async function ready(running: Running): Promise<Running & { at: string; pid: number }> {
  const line = await vi.waitFor(() => /^\{.*\}$/m.exec(running.stdout())?.[0] ?? Promise.reject(), PATIENCE)
  const { url, pid } = JSON.parse(line)
  return { ...running, at: url, pid }
}

const projects = (at: string, query = '') =>
  fetch(`${at}/api/admin/projects${query}`, { headers: { authorization: ADMIN } })

async function force(at: string, rule: object): Promise<void> {
  const answer = await fetch(`${at}/__mock/forced`, { method: 'POST', body: JSON.stringify(rule) })
  expect(answer.status).toBe(201)
}

/** Whether the rules in force have each seen so many requests. */
const seen =
  (at: string, ...counts: number[]) =>
  async () => {
    const rules: { seen: number }[] = await (await fetch(`${at}/__mock/forced`)).json()
    expect(rules.map((rule) => rule.seen)).toEqual(counts)
  }

describe.concurrent('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s stops the server with exit code 0', async (signal) => {
    const { child, exit, at, pid, stdout } = await serve()
    expect(pid).toBe(child.pid)
    expect((await projects(at)).status).toBe(200)
    child.kill(signal)
    expect(await exit).toBe(0)
    expect(stdout().split('\n')).toHaveLength(2)
  })

  it('a stopping server lets an open request finish', async () => {
    const { child, exit, at } = await serve()
    await force(at, { operation: 'getProjects', delay: 800 })
    const open = projects(at)
    await vi.waitFor(seen(at, 1), PATIENCE)
    child.kill('SIGTERM')
    expect((await open).status).toBe(200)
    expect(await exit).toBe(0)
  })

  it('a stopping server cuts hanging requests, streams of events and unused connections at once', async () => {
    const { child, exit, at } = await serve()
    await force(at, { operation: 'getProjects', delay: 3000, times: 1 })
    await force(at, { operation: 'getProjects', fault: 'hang', after: 1 })
    const ended: string[] = []
    const busy = projects(at).then(() => ended.push('busy'))
    await vi.waitFor(seen(at, 1, 1), PATIENCE)
    const hanging = projects(at).catch(() => ended.push('hanging'))
    await vi.waitFor(seen(at, 1, 2), PATIENCE)
    const stream = await fetch(`${at}/__mock/events`)
    const events = stream.text().catch(() => ended.push('events'))
    const unused = connect(Number(new URL(at).port), '127.0.0.1')
    await once(unused.resume(), 'connect')
    const closed = once(unused, 'close').then(() => ended.push('unused'))
    child.kill('SIGTERM')
    await Promise.all([busy, hanging, events, closed])
    expect(ended.at(-1)).toBe('busy')
    expect(ended.toSorted()).toEqual(['busy', 'events', 'hanging', 'unused'])
    expect(await exit).toBe(0)
  })

  it('a second signal stops the server at once', async () => {
    const { child, exit, at } = await serve()
    await force(at, { operation: 'getProjects', delay: 60_000 })
    const open = projects(at)
    await vi.waitFor(seen(at, 1), PATIENCE)
    const cut = expect(open).rejects.toThrow()
    child.kill('SIGINT')
    // Another connection is refused as soon as the first signal has come; the second comes a moment after that.
    await vi.waitFor(() => expect(fetch(at)).rejects.toThrow(), PATIENCE)
    await new Promise((resolve) => setTimeout(resolve, 150))
    child.kill('SIGINT')
    await cut
    expect(await exit).toBe(0)
  })

  it('under npm start the server prints one line and can be stopped', async () => {
    const npm = launch('npm', ['start', '--silent', '--', '--port', '0', '--json'])
    const { child, exit, at, stdout } = await ready(npm)
    expect((await projects(at)).status).toBe(200)
    expect(stdout().split('\n')).toHaveLength(2)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    await expect(fetch(at)).rejects.toThrow()
  })
})

it('a stopped server saves its state', async () => {
  const file = join(scratchFolder().path, 'state.json')
  const { child, exit, at } = await serve('--state', file)
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  await fetch(at + path, { method: 'POST', headers, body: '{"name":"kept"}' })
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('"kept"')
})

describe('exit codes', () => {
  it('the exit code is 2 for a port that is taken, without a stack trace', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { exit, stdout, stderr } = flagdouble('--port', String((other.address() as AddressInfo).port))
    expect(await exit).toBe(2)
    expect(stdout()).toBe('')
    expect(stderr()).toMatch(/^flagdouble: Port \d+ on 127\.0\.0\.1 is already in use\.\nhint: [^\n]+\n$/)
  })

  it('the exit code is 0 for a command that only prints', async () => {
    const { exit, stderr, stdout } = flagdouble('--version')
    expect(await exit).toBe(0)
    expect([stderr(), stdout() === '']).toEqual(['', false])
  })
})

describe('flagdouble exec', () => {
  it('flagdouble exec passes a signal on to the command, and exits with its exit code', async () => {
    const script = "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log('up')"
    const { child, exit, stdout } = flagdouble('exec', '-q', '--', process.execPath, '-e', script)
    await vi.waitFor(() => expect(stdout()).toBe('up\n'), PATIENCE)
    child.kill('SIGTERM')
    expect(await exit).toBe(9)
  })

  it('flagdouble exec passes the flags of the command through', async () => {
    const { exit, stdout } = flagdouble('exec', '-q', 'echo', '--port', 'x')
    expect(await exit).toBe(0)
    expect(stdout()).toBe('--port x\n')
  })
})
