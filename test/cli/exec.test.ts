import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CliRun, runCli, scratchFolder } from '../support/cli.js'

/** What a command needs of the environment to be found. */
const env = { PATH: process.env.PATH ?? '' }

describe('flagdouble exec', () => {
  const exec = (...args: string[]): CliRun => runCli(['exec', '--quiet', ...args], { env })
  const execNode = (code: string, ...flags: string[]) => exec(...flags, '--', process.execPath, '-e', code)

  it('runs a command with FLAGDOUBLE_URL set, and stops the server after it', async () => {
    const file = join(scratchFolder().path, 'seen.json')
    const save = `(status) => fs.writeFileSync('${file}', JSON.stringify([process.env.FLAGDOUBLE_URL, status]))`
    const ask = `fetch(process.env.FLAGDOUBLE_URL + '/health').then(({ status }) => status).then(${save})`
    expect(await execNode(`const fs = require('node:fs'); ${ask}`, '--scenario', 'empty').done).toBe(0)
    const [url, status] = JSON.parse(readFileSync(file, 'utf8'))
    expect(status).toBe(200)
    await expect(fetch(url)).rejects.toThrow()
  })

  it('ends with the exit code of the command', async () => {
    expect(await execNode('process.exit(7)').done).toBe(7)
  })

  it('ends with 128 and the number of the signal that ended the command', async () => {
    expect(await execNode("process.kill(process.pid, 'SIGKILL')").done).toBe(137)
  })

  it('says that there is no such command, and ends with 127', async () => {
    const { done, stderr } = exec('--', 'no-such-command')
    expect(await done).toBe(127)
    expect(stderr()).toMatch(/^flagdouble: no-such-command: there is no such command\.\nhint: [^\n]+\n$/)
  })

  it('runs nothing if the server can not start', async () => {
    const file = join(scratchFolder().path, 'made')
    expect(await exec('--scenario', 'nope', '--', 'touch', file).done).toBe(2)
    expect(existsSync(file)).toBe(false)
  })
})
