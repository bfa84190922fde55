import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StateFile } from '../../src/entries/files/state-file/state-file.js'
import { createMock } from '../../src/index.js'
import { runCli, scratchFolder } from '../support/cli.js'
import { startWithState } from '../support/state-server.js'

/** The timeout for slow effects on a busy machine. */
const PATIENCE = { timeout: 10_000 }

const newFile = () => join(scratchFolder().path, 'state.json')
const modeOf = (file: string) => statSync(file).mode & 0o777

/** Files are renamed once they are released; `reached` is called when the first one waits. */
function holdRenames(reached: () => void): () => void {
  const { rename } = promises
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  promises.rename = async (...paths) => {
    reached()
    await released
    await rename(...paths)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    release()
    promises.rename = rename
    syncBuiltinESMExports()
  })
  return release
}

/** Makes renames to a path fail with a system error, as on a mounted file or a full disk. */
function failRenames(file: string, code: string): void {
  const { rename } = promises
  promises.rename = async (from, to) => {
    if (to === file) throw Object.assign(new Error(code), { code })
    await rename(from, to)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    promises.rename = rename
    syncBuiltinESMExports()
  })
}

async function expectRejected(file: string, message: RegExp, ...flags: string[]): Promise<void> {
  const { done, stderr, stdout } = runCli(['--port', '0', '--state', file, ...flags])
  expect([await done, stdout()]).toEqual([2, ''])
  expect(stderr()).toMatch(message)
  expect(stderr()).toMatch(/\nhint: [^\n]+\n$/)
}

it('a new state file is readable only by its owner', async () => {
  const file = newFile()
  const server = await startWithState(file)
  await server.create('one')
  await server.stop()
  expect(modeOf(file)).toBe(0o600)
})

it.each([0o600, 0o640, 0o664])('a state file keeps its mode: %o', async (mode) => {
  const file = newFile()
  writeFileSync(file, '{}')
  chmodSync(file, mode)
  const server = await startWithState(file)
  await server.switchTo('empty')
  await server.create('one')
  await server.stop()
  expect(readFileSync(file, 'utf8')).toContain('"one"')
  expect(modeOf(file)).toBe(mode)
})

it('a read-only state file is rejected and left untouched', async () => {
  const file = scratchFolder().put('state.json', {})
  chmodSync(file, 0o444)
  await expectRejected(file, /state\.json: is read-only/)
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['{}', 0o444])
})

it('--state-sync without --state is rejected', async () => {
  const { done, stderr } = runCli(['--port', '0', '--state-sync'])
  expect(await done).toBe(2)
  expect(stderr()).toMatch(/--state-sync needs a state file\.\nhint: /)
})

it('a second server with the same state file is rejected; after the first stops, another can start', async () => {
  const folder = scratchFolder()
  const file = join(folder.path, 'state.json')
  const first = await startWithState(file)
  await expectRejected(file, new RegExp(`state\\.json is in use by another flagdouble \\(process ${process.pid} on `))
  await first.create('one')
  await first.stop()
  expect(readdirSync(folder.path)).toEqual([basename(file)])
  expect(await (await startWithState(file)).names()).toEqual(['one'])
})

it('a server that could not start leaves the state file unlocked', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const folder = scratchFolder()
  const taken = runCli(['--port', String(port), '--state', join(folder.path, 'state.json')])
  expect(await taken.done).toBe(2)
  other.close()
  expect(readdirSync(folder.path)).toEqual([])
})

it.each([
  ['of a process that has ended', { pid: 2 ** 22 + 1, host: hostname(), token: 'x' }],
  ['of a process that had the number of this one', { pid: process.pid, host: hostname(), token: 'x' }],
])('the lock %s is taken over', async (_, holder) => {
  const folder = scratchFolder()
  folder.put('.state.json.lock', holder)
  const server = await startWithState(join(folder.path, 'state.json'))
  await server.stop()
  expect(readdirSync(folder.path)).toEqual([])
})

it.each(['null', '', '{}', '[1]', '"x"', '{"pid":"1"}'])('a lock without an owner: %s', async (content) => {
  const folder = scratchFolder()
  const path = folder.put('.state.json.lock', content)
  await expectRejected(join(folder.path, 'state.json'), /is locked by .*\.state\.json\.lock, which names no owner/)
  expect(readFileSync(path, 'utf8')).toBe(content)
})

/** Holds back the servers' periodic work. Returns a function that makes them check their locks. */
function holdTime(): () => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return () => vi.advanceTimersToNextTimer()
}

describe('a server whose lock was taken over', () => {
  const takeOver = async (...flags: string[]) => {
    const folder = scratchFolder()
    const file = join(folder.path, 'state.json')
    const server = await startWithState(file, '--state-sync', ...flags)
    await server.create('one')
    const path = folder.put('.state.json.lock', { pid: 7, host: 'elsewhere', token: 'x' })
    return { server, file, text: readFileSync(file, 'utf8'), path }
  }

  it('says so, rejects changes with --state-sync, writes nothing more, and leaves the lock unchanged', async () => {
    const { server, file, text, path } = await takeOver()
    const response = await server.send('POST', '/api/admin/projects/default/features', { name: 'two' })
    expect([response.status, response.headers.get('x-mock-error')]).toEqual([500, 'STATE_NOT_SAVED'])
    expect(server.stderr()).toContain('another flagdouble (process 7 on elsewhere) uses it')
    expect(await server.stop()).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readFileSync(path, 'utf8')).toContain('elsewhere')
  })
})

it('a deleted lock is created again', async () => {
  const lookAfterLock = holdTime()
  const folder = scratchFolder()
  const file = join(folder.path, 'state.json')
  const server = await startWithState(file)
  const path = join(folder.path, '.state.json.lock')
  const before = readFileSync(path, 'utf8')
  rmSync(path)
  lookAfterLock()
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe(before), PATIENCE)
  await server.create('one')
  expect(await server.stop()).toBe(0)
  expect(readdirSync(folder.path)).toEqual(['state.json'])
})

it('a dangling link is followed, and its target is locked', async () => {
  const folder = scratchFolder()
  const inner = join(folder.path, 'inner')
  mkdirSync(inner)
  const link = join(folder.path, 'link.json')
  const second = join(folder.path, 'second.json')
  symlinkSync('inner/real.json', link)
  symlinkSync('link.json', second)
  const server = await startWithState(second)
  for (const path of [link, join(inner, 'real.json')]) await expectRejected(path, /is in use by another flagdouble/)
  await server.create('one')
  await server.stop()
  expect([lstatSync(link).isSymbolicLink(), readlinkSync(link)]).toEqual([true, 'inner/real.json'])
  expect(readdirSync(inner)).toEqual(['real.json'])
  expect(await (await startWithState(join(inner, 'real.json'))).names()).toEqual(['one'])
})

it('a link that leads to itself is rejected', async () => {
  const link = newFile()
  symlinkSync(link, link)
  await expectRejected(link, /is a link that leads to itself/)
})

it('the lock of another machine is respected, as long as its heartbeat continues and is not from the future', async () => {
  const folder = scratchFolder()
  const file = join(folder.path, 'state.json')
  const path = folder.put('.state.json.lock', { pid: 1, host: 'elsewhere', token: 'x' })
  await expectRejected(file, /in use by another flagdouble \(process 1 on elsewhere\)/)
  const inAnHour = new Date(Date.now() + 3_600_000)
  utimesSync(path, inAnHour, inAnHour)
  await (await startWithState(file)).stop()
  folder.put('.state.json.lock', { pid: 1, host: 'elsewhere', token: 'x' })
  const longAgo = new Date(Date.now() - 20_000)
  utimesSync(path, longAgo, longAgo)
  expect(await (await startWithState(file)).names()).toEqual([])
})

it('a process of this machine keeps its lock as long as it runs, also without a heartbeat', async () => {
  const folder = scratchFolder()
  const lock = { pid: process.ppid, host: hostname(), token: 'x' }
  const path = folder.put('.state.json.lock', lock)
  const longAgo = new Date(Date.now() - 3_600_000)
  utimesSync(path, longAgo, longAgo)
  await expectRejected(join(folder.path, 'state.json'), /in use by another flagdouble \(process \d+ on /)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(lock)
})

it('temporary files of a killed process are removed, and nothing else', async () => {
  const folder = scratchFolder()
  const others = ['.state.json.tmp', '.other.json.123.tmp', '.state.json.123.tmp.bak', 'state.json.123.tmp']
  for (const name of ['.state.json.123.tmp', '.state.json.9.tmp', ...others]) folder.put(name, 'x')
  const server = await startWithState(join(folder.path, 'state.json'))
  await server.create('one')
  await server.stop()
  expect(readdirSync(folder.path).toSorted()).toEqual([...others, 'state.json'].toSorted())
})

it('a failed save at the end is exit code 2, with a message', async () => {
  const folder = join(scratchFolder().path, 'inner')
  mkdirSync(folder)
  const server = await startWithState(join(folder, 'state.json'))
  await server.create('one')
  rmSync(folder, { recursive: true })
  expect(await server.stop()).toBe(2)
  expect(server.stderr()).toMatch(/flagdouble: The state could not be saved to .*\nhint: [^\n]+\n$/)
})

it('flagdouble exec also reports a failed save, but an exit code of the command takes precedence', async () => {
  const root = scratchFolder().path
  const exec = async (exitCode: number) => {
    const folder = join(root, 'inner')
    mkdirSync(folder)
    const script = `
      const url = process.env.FLAGDOUBLE_URL + '/__mock/state'
      require('node:fs').rmSync(${JSON.stringify(folder)}, { recursive: true })
      const { status } = await fetch(url, { method: 'PATCH', body: '{"features":[{"name":"one"}]}' })
      if (status !== 200) process.exit(99)
      process.exit(${exitCode})`
    const wrapped = `(async () => {${script}})()`
    const run = runCli(['exec', '-q', '--state', join(folder, 'state.json'), '--', process.execPath, '-e', wrapped])
    const code = await run.done
    expect(run.stderr()).toContain('could not be saved')
    return code
  }
  expect([await exec(0), await exec(9)]).toEqual([2, 9])
})

it('a server that is stopped during the save of a large state finishes it', async () => {
  const file = join(scratchFolder().path, 'state.json')
  const server = await startWithState(file)
  const features = Array.from({ length: 2000 }, (_, at) => ({ name: `many-${at}` }))
  expect((await server.send('PATCH', '/__mock/state', { features })).status).toBe(200)
  await server.create('one')
  expect([await server.stop(), server.stderr()]).toEqual([0, expect.not.stringContaining('could not')])
  const text = readFileSync(file, 'utf8')
  const { added } = JSON.parse(text).sessions.shared.worlds.default
  expect(added.features).toHaveLength(2001)
  expect(added.features.at(-1).name).toBe('one')
})

it('a state file that is deleted or overwritten while the server runs is written again after the next change', async () => {
  const file = newFile()
  const server = await startWithState(file, '--state-sync')
  await server.create('one')
  rmSync(file)
  await server.create('two')
  expect(readFileSync(file, 'utf8')).toContain('"two"')
  writeFileSync(file, 'something else')
  await server.create('three')
  await server.stop()
  expect(await (await startWithState(file)).names()).toEqual(['one', 'two', 'three'])
})

it.each([['fixtures'], ['state']])("a pipe isn't a file: --%s", async (flag) => {
  const pipe = join(scratchFolder().path, 'pipe.json')
  execFileSync('mkfifo', [pipe])
  const { done, stderr } = runCli(['--port', '0', `--${flag}`, pipe])
  expect([await done, stderr()]).toEqual([2, expect.stringContaining('this is a pipe or a device, not a file')])
})

it('a temporarily unwritable file is reported once, and written when possible', async () => {
  const parent = scratchFolder().path
  const folder = join(parent, 'inner')
  mkdirSync(folder)
  const server = await startWithState(join(folder, 'state.json'))
  rmSync(folder, { recursive: true })
  await server.create(['one', 'two'])
  await vi.waitFor(() => expect(server.stderr()).toContain('could not be saved'), PATIENCE)
  mkdirSync(folder)
  await vi.waitFor(() => expect(server.stderr()).toContain('again'), PATIENCE)
  expect(server.stderr().match(/could not be saved/g)).toHaveLength(1)
  expect(await server.stop()).toBe(0)
  expect(await (await startWithState(join(folder, 'state.json'))).names()).toEqual(['one', 'two'])
})

it('with --state-sync, a change that can’t be saved gets an error', async () => {
  const folder = join(scratchFolder().path, 'inner')
  mkdirSync(folder)
  const server = await startWithState(join(folder, 'state.json'), '--state-sync')
  rmSync(folder, { recursive: true })
  const response = await server.send('POST', '/api/admin/projects/default/features', { name: 'one' })
  expect([response.status, response.headers.get('x-mock-error')]).toEqual([500, 'STATE_NOT_SAVED'])
  expect(await server.stop()).toBe(2)
})

it("with --state-sync, a read doesn't wait for a save", async () => {
  const server = await startWithState(newFile(), '--state-sync')
  const order: string[] = []
  let release = () => {}
  const reached = new Promise<void>((resolve) => {
    release = holdRenames(resolve)
  })
  const change = server.create('one').then(() => order.push('change'))
  await reached
  const { status } = await server.send('GET', '/api/admin/projects/default/features/one')
  order.push(`read ${status}`)
  release()
  await change
  expect(order).toEqual(['read 200', 'change'])
})

it('a mounted file, which can’t be renamed, is overwritten', async () => {
  const folder = scratchFolder()
  const file = folder.put('state.json', '')
  failRenames(file, 'EBUSY')
  const server = await startWithState(file, '--state-sync')
  await server.create(['one', 'two'])
  expect(readFileSync(file, 'utf8')).toContain('"two"')
  expect(await server.stop()).toBe(0)
  expect(readdirSync(folder.path)).toEqual(['state.json'])
  expect(await (await startWithState(file)).names()).toEqual(['one', 'two'])
})

it.each([
  ['a new file', undefined],
  ['a file with data', '{"flagdouble":2,"sessions":{}}'],
])('a full disk is noticed at the start: %s', async (_, text) => {
  const folder = scratchFolder()
  const file = join(folder.path, 'state.json')
  if (text !== undefined) writeFileSync(file, text)
  failRenames(file, 'ENOSPC')
  await expectRejected(file, /The state can't be saved to .*state\.json: there is no space left/)
  expect(readdirSync(folder.path)).toEqual(text === undefined ? [] : ['state.json'])
  if (text !== undefined) expect(readFileSync(file, 'utf8')).toBe(text)
})

it('a state that is too long for a file is not saved: the error names its size and the largest sessions', async () => {
  const file = newFile()
  const mock = createMock()
  const warn = vi.fn()
  const saved = await StateFile.open(file, { mock, sync: true, startsInScenario: false, warn, most: 30_000 })
  const add = async (session: string, length: number) => {
    const body = JSON.stringify({ features: [{ name: 'large', description: '\u0001'.repeat(length) }] })
    const headers = { 'x-mock-session': session }
    const answer = await mock.fetch(new Request('http://localhost/__mock/state', { method: 'PATCH', headers, body }))
    return [answer.status, answer.headers.get('x-mock-error'), await answer.json()]
  }
  expect((await add('nora', 2000))[0]).toBe(200)
  const before = readFileSync(file, 'utf8')
  expect(await add('ada', 9000)).toEqual([
    500,
    'STATE_NOT_SAVED',
    expect.objectContaining({
      message: expect.stringMatching(
        /the sessions have \d+,\d+ characters, and at most 30,000 can be saved; reset the largest: the session "ada" \(\d+,\d+\), the session "nora" \(/,
      ),
    }),
  ])
  await expect(saved.close()).rejects.toThrow('at most 30,000 can be saved')
  expect([readFileSync(file, 'utf8'), warn.mock.calls.length]).toEqual([before, 1])
})
