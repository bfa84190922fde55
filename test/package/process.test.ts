import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { type AddressInfo, connect, createServer } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ADMIN } from '../support/adapters.js'
import { cli } from '../support/build.js'
import { scratchFolder } from '../support/cli.js'
import { endAll, flagdouble, launch, PATIENCE, ready, serve } from '../support/process.js'

afterAll(endAll)

const startByNpm = (...args: string[]) => launch('npm', ['start', '--silent', '--', '--port', '0', '--json', ...args])

const projects = (at: string, query = '') =>
  fetch(`${at}/api/admin/projects${query}`, { headers: { authorization: ADMIN } })

async function force(at: string, rule: object): Promise<void> {
  const answer = await fetch(`${at}/__mock/forced`, { method: 'POST', body: JSON.stringify(rule) })
  expect(answer.status).toBe(201)
}

/** Whether each active rule has matched a number of requests. */
const seen =
  (at: string, ...counts: number[]) =>
  async () => {
    const rules: { seen: number }[] = await (await fetch(`${at}/__mock/forced`)).json()
    expect(rules.map((rule) => rule.seen)).toEqual(counts)
  }

describe.concurrent('signals', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    '%s stops the server with exit code 0',
    async (signal) => {
      const { child, exit, at, pid, stdout } = await serve()
      expect(pid).toBe(child.pid)
      expect((await projects(at)).status).toBe(200)
      child.kill(signal)
      expect(await exit).toBe(0)
      expect(stdout().split('\n')).toHaveLength(2)
    },
  )

  it('a stopping server lets an open request finish', async () => {
    const { child, exit, at } = await serve()
    await force(at, { operation: 'getProjects', delay: 800 })
    const open = projects(at)
    await vi.waitFor(seen(at, 1), PATIENCE)
    child.kill('SIGTERM')
    expect((await open).status).toBe(200)
    expect(await exit).toBe(0)
  })

  it('a stopping server cuts hanging requests, event streams and unused connections at once', async () => {
    const { child, exit, at } = await serve()
    await force(at, { operation: 'getProjects', delay: 3000, times: 1 })
    await force(at, { operation: 'getProjects', fault: 'hang', after: 1 })
    const ended: string[] = []
    const busy = projects(at).then(() => ended.push('busy'))
    await vi.waitFor(seen(at, 1, 1), PATIENCE)
    const hanging = projects(at).catch(() => ended.push('hanging'))
    await vi.waitFor(seen(at, 2, 2), PATIENCE)
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
    // A new connection fails as soon as the first signal has arrived; the second comes just after that.
    await vi.waitFor(() => expect(fetch(at)).rejects.toThrow(), PATIENCE)
    await new Promise((resolve) => setTimeout(resolve, 150))
    child.kill('SIGINT')
    await cut
    expect(await exit).toBe(0)
  })

  it('a second signal at the very end of the process changes nothing: the exit code is 0', async () => {
    for (let run = 0; run < 4; run++) {
      const { child, exit } = await serve()
      child.kill('SIGTERM')
      const again = setInterval(() => child.kill('SIGTERM'), 1)
      expect(await exit, `run ${run}`).toBe(0)
      clearInterval(again)
    }
  })

  it('npm start prints one line, and Ctrl-C ends it', async () => {
    const { child, exit, at, stdout } = await ready(startByNpm())
    expect((await projects(at)).status).toBe(200)
    expect(stdout().split('\n')).toHaveLength(2)
    // Like a terminal: npm, its shell and the server get the signal, and npm also forwards it.
    process.kill(-(child.pid ?? Number.NaN), 'SIGINT')
    await exit
    await vi.waitFor(() => expect(fetch(at)).rejects.toThrow(), PATIENCE)
  })

  it('a server under npm start stops properly when only npm gets a signal, and its shell dies of it', async () => {
    const { path } = scratchFolder()
    const { child, at } = await ready(startByNpm('--state', join(path, 'state.json')))
    await force(at, { operation: 'getProjects', delay: 1000 })
    const open = projects(at)
    await vi.waitFor(seen(at, 1), PATIENCE)
    expect(readdirSync(path)).toContain('.state.json.lock')
    child.kill('SIGTERM')
    expect((await open).status).toBe(200)
    await vi.waitFor(() => expect(readdirSync(path)).toEqual(['state.json']), PATIENCE)
    await expect(fetch(at)).rejects.toThrow()
  })
})

describe('exit codes', () => {
  it('the exit code is 2 for a taken port, without a stack trace', async () => {
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
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'flagdouble exec passes %s on to the command, and exits with its exit code',
    async (signal) => {
      const script = `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1000); console.log('up')`
      const { child, exit, stdout } = flagdouble('exec', '-q', '--', process.execPath, '-e', script)
      await vi.waitFor(() => expect(stdout()).toBe('up\n'), PATIENCE)
      child.kill(signal)
      expect(await exit).toBe(9)
    },
  )

  it.each(['SIGTERM', 'SIGHUP'] as const)('%s ends all child processes of the command', async (signal) => {
    const script = 'console.log(process.pid); setInterval(() => {}, 1000)'
    // The shell waits for the program, and doesn't forward signals.
    const { child, exit, stdout } = flagdouble(
      ...['exec', '-q', '--', 'sh', '-c', `"${process.execPath}" -e '${script}'; echo after`],
    )
    const [pid = ''] = await vi.waitFor(() => /^\d+$/m.exec(stdout()) ?? Promise.reject(), PATIENCE)
    child.kill(signal)
    expect(await exit).toBe(128 + constants.signals[signal])
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'), PATIENCE)
  })

  it('flagdouble exec finds npm.cmd on Windows, and arguments with spaces stay whole', async () => {
    const { path, put } = scratchFolder()
    put('npm.CMD', '')
    chmodSync(join(path, 'npm.CMD'), 0o755)
    // Replaces the Windows shell, and prints its arguments.
    const shell = put('cmd.exe', `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)))`)
    chmodSync(shell, 0o755)
    const onWindows = "data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})"
    const env = { comspec: shell, PATH: path, Path: path, PATHEXT: '.CMD' }
    const args = ['--import', onWindows, cli, 'exec', '-q', '--', 'npm', 'run', 'a b', 'c&d']
    const { exit, stdout, stderr } = launch(process.execPath, args, env)
    expect([await exit, stderr()]).toEqual([0, ''])
    const [, , , line] = JSON.parse(stdout())
    expect(line).toBe('"npm ^"run^" ^"a^ b^" ^"c^&d^""')
  })

  it('flagdouble exec passes the flags of the command through', async () => {
    const { exit, stdout } = flagdouble('exec', '-q', 'echo', '--port', 'x')
    expect(await exit).toBe(0)
    expect(stdout()).toBe('--port x\n')
  })
})

describe('an old Node', () => {
  const dist = join(import.meta.dirname, '../../dist')
  /** Imitates another version of Node. */
  const asNode = (version: string) => {
    const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
  }

  it.each(['18.20.8', '20.18.3'])('%s is reported by the command line, in one line', async (version) => {
    const { exit, stderr, stdout } = launch(process.execPath, [...asNode(version), cli, '--version'])
    expect(await exit).toBe(2)
    expect(stdout()).toBe('')
    const [short] = /^\d+\.\d+/.exec(version) ?? []
    expect(stderr()).toBe(`flagdouble needs Node 20.19 or newer; this is ${short}\n`)
  })

  it.each(['index', 'msw', 'node', 'vite', 'vitest', 'jest', 'playwright'])(
    'it is reported by the entry %s, without a stack',
    async (entry) => {
      const code = `import('${join(dist, entry)}.js').catch((error) => console.log(error.stack))`
      const { exit, stdout } = launch(process.execPath, [...asNode('18.20.8'), '-e', code])
      await exit
      expect(stdout()).toBe('flagdouble needs Node 20.19 or newer; this is 18.20\n')
    },
  )
})

it.runIf('enableCompileCache' in module)('compiled code is in a folder that only its user can read', async () => {
  const home = scratchFolder()
  const own = join(home.path, 'flagdouble')
  const runWithCache = () => launch(process.execPath, [cli, '--version'], { XDG_CACHE_HOME: home.path }).exit
  expect(await runWithCache()).toBe(0)
  expect(statSync(own).mode & 0o777).toBe(0o700)
  expect(readdirSync(own)).not.toEqual([])
})

it.runIf('enableCompileCache' in module)('no compiled code is in a folder that others can write to', async () => {
  const home = scratchFolder()
  const own = join(home.path, 'flagdouble')
  mkdirSync(own)
  chmodSync(own, 0o777)
  expect(await launch(process.execPath, [cli, '--version'], { XDG_CACHE_HOME: home.path }).exit).toBe(0)
  expect(readdirSync(own)).toEqual([])
})
