import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { version } from '../../src/version.js'
import { runCli, scratchFolder } from '../support/cli.js'
import { startWithState } from '../support/state-server.js'

/** How long to wait for what a busy machine does late. */
const PATIENCE = { timeout: 10_000 }

const newFile = () => join(scratchFolder().path, 'state.json')
const modeOf = (file: string) => statSync(file).mode & 0o777

async function expectRejected(file: string, message: RegExp, ...flags: string[]): Promise<void> {
  const { done, stderr, stdout } = runCli(['--port', '0', '--state', file, ...flags])
  expect([await done, stdout()]).toEqual([2, ''])
  expect(stderr()).toMatch(message)
  expect(stderr()).toMatch(/\nhint: [^\n]+\n$/)
}

it('a new state file can be read by its owner only', async () => {
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

it('a second server with the same state file is rejected; when the first one stops, another can start', async () => {
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
  ['of a process that has ended', { pid: 2 ** 22 + 1, host: hostname(), started: '', token: 'x' }],
  ['of another process that had the same number', { pid: 1, host: hostname(), started: '-1', token: 'x' }],
  ['of a process like this one', { pid: process.pid, host: hostname(), started: '-1', token: 'x' }],
])('the lock %s is taken over', async (_, holder) => {
  const folder = scratchFolder()
  folder.put('.state.json.lock', holder)
  const server = await startWithState(join(folder.path, 'state.json'))
  await server.stop()
  expect(readdirSync(folder.path)).toEqual([])
})

it.each(['null', '', '{}', '[1]', '"x"', '{"pid":"1"}'])(
  'a lock that does not say whose it is: %s',
  async (content) => {
    const folder = scratchFolder()
    const path = folder.put('.state.json.lock', content)
    await expectRejected(
      join(folder.path, 'state.json'),
      /is locked by .*\.state\.json\.lock, which does not say by whom/,
    )
    expect(readFileSync(path, 'utf8')).toBe(content)
  },
)

/** Holds back what servers do every few seconds. Returns what has them look after their locks. */
function holdTime(): () => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  return () => vi.advanceTimersToNextTimer()
}

describe('a server whose lock was taken over', () => {
  const takeOver = async (...flags: string[]) => {
    const lookAfterLock = holdTime()
    const folder = scratchFolder()
    const file = join(folder.path, 'state.json')
    const server = await startWithState(file, ...flags)
    await server.create('one')
    const path = folder.put('.state.json.lock', { pid: 7, host: 'elsewhere', started: '', token: 'x' })
    lookAfterLock()
    await vi.waitFor(() => expect(server.stderr()).toContain('(process 7 on elsewhere) uses it'), PATIENCE)
    const lines = `${readFileSync(file, 'utf8')}{"session":"","active":["empty"]}\n`
    writeFileSync(file, lines)
    return { server, file, lines, path }
  }

  it('says so and writes nothing more, and leaves the lock as it is', async () => {
    const { server, file, lines, path } = await takeOver()
    await server.create('two')
    expect(await server.stop()).toBe(2)
    expect(server.stderr()).toContain('no longer locked for this process')
    expect(readFileSync(file, 'utf8')).toBe(lines)
    expect(readFileSync(path, 'utf8')).toContain('elsewhere')
  })

  it('answers changes as errors with --state-sync', async () => {
    const { server, file, lines } = await takeOver('--state-sync')
    const response = await server.send('POST', '/api/admin/projects/default/features', { name: 'two' })
    expect([response.status, response.headers.get('x-mock-error')]).toEqual([500, 'STATE_NOT_SAVED'])
    expect(await server.stop()).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe(lines)
  })
})

it('a lock that was deleted is made again', async () => {
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

it('a link that leads nowhere yet is followed, and locked as its target', async () => {
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

it('the lock of another machine is honoured, as long as it gives signs of life', async () => {
  const folder = scratchFolder()
  const file = join(folder.path, 'state.json')
  const path = folder.put('.state.json.lock', { pid: 1, host: 'elsewhere', started: '', token: 'x' })
  await expectRejected(file, /in use by another flagdouble \(process 1 on elsewhere\)/)
  const longAgo = new Date(Date.now() - 20_000)
  utimesSync(path, longAgo, longAgo)
  expect(await (await startWithState(file)).names()).toEqual([])
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

it('a save that fails at the end is an exit code of 2, with a message', async () => {
  const folder = join(scratchFolder().path, 'inner')
  mkdirSync(folder)
  const server = await startWithState(join(folder, 'state.json'))
  await server.create('one')
  rmSync(folder, { recursive: true })
  expect(await server.stop()).toBe(2)
  expect(server.stderr()).toMatch(/flagdouble: The state could not be saved to .*\nhint: [^\n]+\n$/)
})

it('flagdouble exec reports a failed save as well, but an exit code of the command takes precedence', async () => {
  const root = scratchFolder().path
  const exec = async (exitCode: number) => {
    const folder = join(root, 'inner')
    mkdirSync(folder)
    const script = `
      const url = process.env.FLAGDOUBLE_URL + '/__mock/state'
      const { status } = await fetch(url, { method: 'PATCH', body: '{"features":[{"name":"one"}]}' })
      if (status !== 200) process.exit(99)
      require('node:fs').rmSync(${JSON.stringify(folder)}, { recursive: true })
      process.exit(${exitCode})`
    const wrapped = `(async () => {${script}})()`
    const run = runCli(['exec', '-q', '--state', join(folder, 'state.json'), '--', process.execPath, '-e', wrapped])
    const code = await run.done
    expect(run.stderr()).toContain('could not be saved')
    return code
  }
  expect([await exec(0), await exec(9)]).toEqual([2, 9])
})

it('a server that is stopped while a large state is being saved finishes that', async () => {
  const folder = scratchFolder()
  folder.put('many.json', { name: 'many', title: 'Many', promise: 'Many.', generate: { features: 2000 } })
  const file = join(scratchFolder().path, 'state.json')
  const server = await startWithState(file, '--scenarios', folder.path, '--scenario', 'many')
  await server.create('one')
  expect([await server.stop(), server.stderr()]).toEqual([0, expect.not.stringContaining('could not')])
  const text = readFileSync(file, 'utf8')
  expect(text.match(/"table":"features"/g)?.length).toBeGreaterThan(2000)
  expect(text).toContain('"name":"one"')
})

it('a state file that is deleted or replaced while the server runs is written again', async () => {
  const file = newFile()
  const server = await startWithState(file)
  await server.create('one')
  rmSync(file)
  await server.stop()
  const second = await startWithState(file)
  expect(await second.names()).toEqual(['one'])
  rmSync(file)
  writeFileSync(file, 'something else')
  await second.create('two')
  await second.stop()
  expect(await (await startWithState(file)).names()).toEqual(['one', 'two'])
})

it.each([[[]], [['--state-sync']]])(
  'a state file that is emptied or overwritten in place is written again, before the next change is acknowledged: %j',
  async (flags) => {
    const file = newFile()
    const server = await startWithState(file, ...flags)
    await server.create('one')
    const copy = readFileSync(file)
    await server.create('two')
    const keptNow = async (names: string[]) => {
      const other = newFile()
      copyFileSync(file, other)
      expect(await (await startWithState(other)).names()).toEqual(names)
    }
    writeFileSync(file, '')
    await server.create('three')
    await keptNow(['one', 'two', 'three'])
    writeFileSync(file, copy)
    await server.create('four')
    await keptNow(['one', 'two', 'three', 'four'])
    writeFileSync(file, copy)
    expect(await server.stop()).toBe(0)
    await keptNow(['one', 'two', 'three', 'four'])
  },
)

it('a file that can’t be written for a while is reported once, and written when it can be', async () => {
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

it('with --state-sync, a change that can’t be saved is answered as an error', async () => {
  const folder = join(scratchFolder().path, 'inner')
  mkdirSync(folder)
  const server = await startWithState(join(folder, 'state.json'), '--state-sync')
  rmSync(folder, { recursive: true })
  const response = await server.send('POST', '/api/admin/projects/default/features', { name: 'one' })
  expect([response.status, response.headers.get('x-mock-error')]).toEqual([500, 'STATE_NOT_SAVED'])
  expect(await server.stop()).toBe(2)
})

it('with --state-sync, a request that only reads does not wait for what is being saved', async () => {
  const folder = scratchFolder()
  folder.put('many.json', { name: 'many', title: 'Many', promise: 'Many.', generate: { features: 6000 } })
  const file = join(scratchFolder().path, 'state.json')
  const server = await startWithState(file, '--state-sync', '--scenarios', folder.path, '--scenario', 'many')
  const order: string[] = []
  const change = server.create('one').then(() => order.push('change'))
  await vi.waitFor(async () => {
    const { status } = await server.send('GET', '/api/admin/projects/default/features/one')
    expect(status).toBe(200)
    order.push('read')
  }, PATIENCE)
  await change
  expect(order).toEqual(['read', 'change'])
})

it.each([
  ['a last line', '{"change":1,"put":{"feat'],
  [
    'a snapshot',
    '{"begin":1,"session":"","scenario":"default"}\n{"in":1,"table":"tags","record":{"type":"simple","value":"x"}}\n{"in":1',
  ],
  ['a commit of several lines', '{"change":1,"remove":{"features":["one"]},"more":true}\n'],
])(
  'what was cut off counts as never written, and is cut off the file, which stays in its place: %s',
  async (_, tail) => {
    const file = newFile()
    const first = await startWithState(file)
    await first.create('one')
    await first.stop()
    const text = readFileSync(file, 'utf8')
    const { ino } = statSync(file)
    appendFileSync(file, tail)
    const second = await startWithState(file)
    expect(await second.names()).toEqual(['one'])
    expect(readFileSync(file, 'utf8')).toBe(text)
    await second.create('two')
    await second.stop()
    expect(statSync(file).ino).toBe(ino)
    expect(readFileSync(file, 'utf8').startsWith(text)).toBe(true)
    expect(await (await startWithState(file)).names()).toEqual(['one', 'two'])
  },
)

it.each([
  ['not JSON', '{"change":1,"put"\n', /line \d+ can't be read: /],
  ['another kind of line', '{"what":1}\n', /line \d+ can't be read: there is no such kind of line/],
  ['a table that does not exist', '{"change":1,"put":{"flags":[{}]}}\n', /there is no table "flags"/],
  ['a state that does not exist', '{"change":9,"put":{}}\n', /there is no state 9/],
  [
    'an incomplete record',
    '{"change":1,"put":{"features":[{"name":"half"}]}}\n',
    /line \d+ .*"features".* is required/,
  ],
  ['half a record in many lines', '{"change":1,"put":{"tags":[{"type":7}]},"more":true}\n', /line \d+ .*"tags"/],
  ['something that is no record', '{"change":1,"put":{"features":[null]}}\n', /line \d+ .*must be an object/],
  ['a list of tables', '{"change":1,"put":[]}\n', /line \d+ .*\$\.put/],
  ['a session without a scenario', '{"session":"","active":[]}\n', /line \d+ .*\$\.active/],
  ['a scenario that is no list', '{"session":"","active":"empty"}\n', /line \d+ .*\$\.active/],
  ['a snapshot without its end', '{"begin":1,"session":"","scenario":"default"}\n', /line \d+ .*no end/],
  ['the end of no snapshot', '{"end":1}\n', /line \d+ .*there is no snapshot/],
  ['a number in place of a line', '7\n', /line \d+ can't be read: there is no such kind of line/],
  ['a name that every object has', '{"change":1,"put":{"__proto__":[{}]}}\n', /line \d+ .*\$\.put\.__proto__/],
])('a state file with a broken line is rejected and left untouched: %s', async (_, line, message) => {
  const file = newFile()
  const server = await startWithState(file)
  await server.create('one')
  await server.stop()
  appendFileSync(file, `${line}{"session":"","active":["empty"]}\n`)
  const text = readFileSync(file, 'utf8')
  await expectRejected(file, message)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

it.each([version, '0.0.1'])('statistics that can not be read are dropped and reported, saved by %s', async (by) => {
  const file = newFile()
  const first = await startWithState(file)
  await first.create('one')
  await first.stop()
  const broken = { appName: 'a', instanceId: 'i', environment: 5, sdkVersion: 7 }
  const text = readFileSync(file, 'utf8').replace(/"version":"[^"]+"/, `"version":"${by}"`)
  writeFileSync(file, `${text}${JSON.stringify({ change: 1, put: { clientInstances: [broken] } })}\n`)
  const second = await startWithState(file)
  expect(second.stderr()).toMatch(/What can't be read in .*state\.json is dropped \(1\): .*line \d+/)
  expect(await second.names()).toEqual(['one'])
  await second.stop()
  expect((await startWithState(file)).stderr()).not.toContain('Statistics')
})

it('a state file of a format that is not known is rejected', async () => {
  const file = scratchFolder().put('state.json', '{"flagdouble":"state","format":99,"version":"9.0.0"}\n')
  await expectRejected(file, /line 1 has the format 99, which is not known here/)
})

it.each(['{"flagdouble":"state"}', '{"flagdouble":"state","format":1}', '{"flagdouble":"state","version":"9.0.0"}'])(
  'a state file that begins with %s is rejected, and told what is missing',
  async (header) => {
    const file = scratchFolder().put('state.json', `${header}\n`)
    await expectRejected(
      file,
      /line 1 must name the "format" of the file and the "version" of flagdouble that wrote it/,
    )
  },
)

it('a state file of another version is checked and completed', async () => {
  const file = newFile()
  const first = await startWithState(file)
  await first.create('one')
  await first.stop()
  const text = readFileSync(file, 'utf8').replace(/"version":"[^"]+"/, '"version":"0.0.1"')
  writeFileSync(file, text.replaceAll('"impressionData":false,', ''))
  const second = await startWithState(file)
  expect(await second.names()).toEqual(['one'])
  const feature = await second.send('GET', '/api/admin/projects/default/features/one')
  expect(await feature.json()).toMatchObject({ impressionData: false })
  await second.create('two')
  await second.stop()
  expect(readFileSync(file, 'utf8')).not.toContain('"version":"0.0.1"')

  writeFileSync(file, text.replaceAll('"stale":false', '"stale":"no"'))
  await expectRejected(file, /state\.json: \$\.features\[\d\]\.stale.*\(line \d+\)/)
})

it('a state file does not grow without end', { timeout: 60_000 }, async () => {
  const file = newFile()
  const server = await startWithState(file)
  const description = 'x'.repeat(100_000)
  for (let i = 0; i < 100; i++) {
    const features = [{ name: 'one', description: description + i }]
    expect((await server.send('PATCH', '/__mock/state', { features })).status).toBe(200)
  }
  await server.stop()
  expect(statSync(file).size).toBeLessThan(3_000_000)
  const second = await startWithState(file)
  const feature = await second.send('GET', '/api/admin/projects/default/features/one')
  expect(await feature.json()).toMatchObject({ description: `${description}99` })
})
