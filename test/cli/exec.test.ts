import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type CliRun, runCli, scratchFolder } from '../support/cli.js'

/** The environment that a command needs to be found. */
const env = { PATH: process.env.PATH ?? '' }

describe('flagdouble exec', () => {
  const exec = (...args: string[]): CliRun => runCli(['exec', '--quiet', ...args], { env })
  const execNode = (code: string, ...flags: string[]) => exec(...flags, '--', process.execPath, '-e', code)

  it('flagdouble exec runs a command with FLAGDOUBLE_URL set, and then stops the server', async () => {
    const file = join(scratchFolder().path, 'seen.json')
    const save = `(status) => fs.writeFileSync('${file}', JSON.stringify([process.env.FLAGDOUBLE_URL, status]))`
    const ask = `fetch(process.env.FLAGDOUBLE_URL + '/health').then(({ status }) => status).then(${save})`
    expect(await execNode(`const fs = require('node:fs'); ${ask}`, '--scenario', 'empty').done).toBe(0)
    const [url, status] = JSON.parse(readFileSync(file, 'utf8'))
    expect(status).toBe(200)
    await expect(fetch(url)).rejects.toThrow()
  })

  it('flagdouble exec exits with the exit code of the command', async () => {
    expect(await execNode('process.exit(7)').done).toBe(7)
  })

  it('flagdouble exec exits with 128 plus the number of the signal that ended the command', async () => {
    expect(await execNode("process.kill(process.pid, 'SIGKILL')").done).toBe(137)
  })

  it('flagdouble exec reports an unknown command, and exits with 127', async () => {
    const { done, stderr } = exec('--', 'no-such-command')
    expect(await done).toBe(127)
    expect(stderr()).toMatch(/^flagdouble: no-such-command: no such command\.\nhint: [^\n]+\n$/)
  })

  it.each([
    [['80', '--', 'npm', 'test'], 'right after the two dashes: flagdouble exec -- npm test'],
    [['--', 'echo $FLAGDOUBLE_URL'], "flagdouble exec -- sh -c 'echo $FLAGDOUBLE_URL'"],
  ])('flagdouble exec says how to run %j', async (words, hint) => {
    const { done, stderr } = exec(...words)
    expect([await done, stderr()]).toEqual([127, expect.stringContaining(hint)])
  })

  it('flagdouble exec says when a file is not a program', async () => {
    const file = scratchFolder().put('script', 'text')
    const { done, stderr } = exec('--', file)
    expect([await done, stderr()]).toEqual([126, expect.stringMatching(/permission denied\.\nhint: .*chmod \+x /)])
  })

  it('flagdouble exec says how to pass a command that is one text', async () => {
    const { done, stderr } = exec('--', 'npm test')
    expect([await done, stderr()]).toEqual([
      127,
      expect.stringContaining('hint: Pass the words separately: flagdouble exec -- npm test'),
    ])
  })

  it('flagdouble exec keeps waiting for a command that it can’t signal', async () => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    })
    const file = join(scratchFolder().path, 'started')
    const run = execNode(`require('node:fs').writeFileSync('${file}', ''); setTimeout(() => process.exit(5), 500)`)
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 10_000 })
    run.signal('SIGTERM')
    expect([await run.done, run.stderr()]).toEqual([
      5,
      expect.stringContaining("can't get the signal SIGTERM: permission denied"),
    ])
    kill.mockRestore()
  })

  it.each([[['']], [['  ']], [[]]])('flagdouble exec without a command is an error: %j', async (command) => {
    const { done, stderr } = exec('--', ...command)
    expect(await done).toBe(2)
    expect(stderr()).toMatch(/^flagdouble: exec needs a command to run\.\nhint: .*flagdouble exec -- npm test\n$/)
  })

  it('flagdouble exec runs nothing if the server can’t start', async () => {
    const file = join(scratchFolder().path, 'made')
    expect(await exec('--scenario', 'nope', '--', 'touch', file).done).toBe(2)
    expect(existsSync(file)).toBe(false)
  })
})
