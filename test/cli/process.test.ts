import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildCli } from '../support/build.js'
import { scratchFolder } from '../support/cli.js'
import { ADMIN } from '../support/doors.js'

/** How long to wait for what another process does. */
const PATIENCE = { timeout: 10_000 }

let cli = ''
beforeAll(() => {
  cli = buildCli()
})

interface Running {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the exit code; null where a signal ended it. */
  exit: Promise<number | null>
}

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
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
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

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s stops it with exit code 0', async (signal) => {
    const { child, exit, at, pid, stdout } = await serve()
    expect(pid).toBe(child.pid)
    expect((await projects(at)).status).toBe(200)
    child.kill(signal)
    expect(await exit).toBe(0)
    expect(stdout().split('\n')).toHaveLength(2)
  })

  it('lets an open request finish', async () => {
    const { child, exit, at } = await serve()
    await force(at, { operation: 'getProjects', delay: 800 })
    const open = projects(at)
    await vi.waitFor(seen(at, 1), PATIENCE)
    child.kill('SIGTERM')
    expect((await open).status).toBe(200)
    expect(await exit).toBe(0)
  })

  it('cuts what hangs, streams of events and unused connections at once', async () => {
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

  it('stops at once at a second signal', async () => {
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

  it('is stopped under npm start, and prints the one line', async () => {
    const npm = launch('npm', ['start', '--silent', '--', '--port', '0', '--json'])
    const { child, exit, at, stdout } = await ready(npm)
    expect((await projects(at)).status).toBe(200)
    expect(stdout().split('\n')).toHaveLength(2)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    await expect(fetch(at)).rejects.toThrow()
  })

  it('saves the state when stopped', async () => {
    const file = join(scratchFolder().path, 'state.json')
    const { child, exit, at } = await serve('--state', file)
    const path = '/api/admin/projects/default/features/checkout-redesign/clone'
    const headers = { authorization: ADMIN, 'content-type': 'application/json' }
    await fetch(at + path, { method: 'POST', headers, body: '{"name":"kept"}' })
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('"kept"')
  })
})

describe('exit codes', () => {
  it('is 2 for a port that is taken, without a stack trace', async () => {
    const { at } = await serve()
    const second = flagdouble('--port', new URL(at).port)
    expect(await second.exit).toBe(2)
    expect(second.stdout()).toBe('')
    expect(second.stderr()).toMatch(/^flagdouble: Port \d+ on 127\.0\.0\.1 is already in use\.\nhint: [^\n]+\n$/)
  })

  it('is 0 for what only prints', async () => {
    for (const command of ['scenarios', 'openapi', '--help', '--version']) {
      const { exit, stderr, stdout } = flagdouble(command)
      expect(await exit).toBe(0)
      expect([stderr(), stdout() === '']).toEqual(['', false])
    }
  })
})

describe('flagdouble exec', () => {
  const node = (code: string) => [process.execPath, '-e', code]

  it('runs a command with FLAGDOUBLE_URL set, and stops after it', async () => {
    const script =
      "fetch(process.env.FLAGDOUBLE_URL + '/health').then((r) => console.log(process.env.FLAGDOUBLE_URL, r.status))"
    const { exit, stdout } = flagdouble('exec', '--quiet', '--scenario', 'empty', '--', ...node(script))
    expect(await exit).toBe(0)
    const [url = '', status] = stdout().trim().split(' ')
    expect(status).toBe('200')
    await expect(fetch(url)).rejects.toThrow()
  })

  it('hands on the exit code', async () => {
    expect(await flagdouble('exec', '--', ...node('process.exit(7)')).exit).toBe(7)
  })

  it('hands on the end by a signal as 128 and its number', async () => {
    expect(await flagdouble('exec', '--', ...node("process.kill(process.pid, 'SIGKILL')")).exit).toBe(137)
  })

  it('hands a signal on to the command', async () => {
    const script = "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log('up')"
    const { child, exit, stdout } = flagdouble('exec', '-q', '--', ...node(script))
    await vi.waitFor(() => expect(stdout()).toBe('up\n'), PATIENCE)
    child.kill('SIGTERM')
    expect(await exit).toBe(9)
  })

  it("leaves the command's own flags to it", async () => {
    const { exit, stdout } = flagdouble('exec', '-q', 'echo', '--port', 'x')
    expect(await exit).toBe(0)
    expect(stdout()).toBe('--port x\n')
  })

  it('tells that no such command', async () => {
    const { exit, stderr } = flagdouble('exec', '-q', '--', 'no-such-command')
    expect(await exit).toBe(127)
    expect(stderr()).toMatch(/^flagdouble: no-such-command: no such command\.\nhint: [^\n]+\n$/)
  })

  it('runs nothing if the server can not start', async () => {
    const file = join(scratchFolder().path, 'made')
    const { exit } = flagdouble('exec', '--scenario', 'nope', '--', 'touch', file)
    expect(await exit).toBe(2)
    expect(existsSync(file)).toBe(false)
  })
})
