import { describe, expect, it } from 'vitest'
import { scenarios } from '../../scenarios/index.js'
import { runCli, scratchFolder } from '../support/cli.js'

async function output(argv: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { done, stdout, stderr } = runCli(argv)
  return { code: await done, stdout: stdout(), stderr: stderr() }
}

describe('flagdouble scenarios', () => {
  it('flagdouble scenarios lists the name and the promise of each scenario', async () => {
    const { code, stdout } = await output(['scenarios'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(scenarios.length)
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(scenarios.map(({ name, promise }) => [name, promise]))
  })

  it('flagdouble scenarios also lists the scenarios of a folder, and prints JSON with --json', async () => {
    const folder = scratchFolder()
    folder.put('mine.json', { name: 'mine', title: 'Mine', promise: 'It is mine.' })
    const { stdout } = await output(['scenarios', '--scenarios', folder.path, '--json'])
    expect(JSON.parse(stdout)).toHaveLength(scenarios.length + 1)
    expect(JSON.parse(stdout).at(-1)).toEqual({ name: 'mine', title: 'Mine', promise: 'It is mine.' })
  })
})

it.each(['scenarios', 'openapi', '--help', '--version'])(
  'flagdouble %s prints to standard output and exits with 0',
  async (command) => {
    const { code, stdout, stderr } = await output([command])
    expect([code, stderr, stdout === '']).toEqual([0, '', false])
  },
)

it('flagdouble openapi prints the OpenAPI document', async () => {
  const { code, stdout } = await output(['openapi'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', info: { title: 'flagdouble' } })
})

it('flagdouble openapi --profile prints the document of a profile', async () => {
  const { code, stdout } = await output(['openapi', '--profile', 'unleash-8'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', info: { version: '8.2.0' } })
  expect(await output(['openapi', '--profile', 'unleash-9'])).toMatchObject({ code: 2, stdout: '' })
})

describe('flagdouble validate', () => {
  it('flagdouble validate reports which files are valid', async () => {
    const folder = scratchFolder()
    const fixture = folder.put('fixture.json', { features: [{ name: 'a' }] })
    const scenario = folder.put('scenario.json', { name: 'mine', title: 'Mine', promise: 'Mine.', extends: 'base' })
    folder.put('base.json', { name: 'base', title: 'Base', promise: 'Base.', extends: 'default' })
    expect(await output(['validate', fixture, scenario, folder.path])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^ok {3}\S+fixture\.json \(fixture\)\nok {3}\S+scenario\.json \(scenario\)\nok .*base/,
      ),
    })
  })

  it('flagdouble validate lists every error of every file, with its place, the expected and the found value', async () => {
    const folder = scratchFolder()
    folder.put('a.json', { features: [{ name: 1 }, { name: 'b', type: 2 }], users: 4 })
    folder.put('b.json', { features: [{ name: 'a', project: 'no' }], users: [{ id: 9, rootRole: 4711 }] })
    folder.put('c.json', { name: 'mine', title: 'Mine', force: [{ operation: 'clone' }] })
    folder.put('d.json', '{')
    folder.put('e.json', { features: [{ name: 'fine' }] })
    const { code, stdout } = await output(['validate', folder.path, 'nowhere.json'])
    expect(code).toBe(2)
    const faults = stdout.split(/^(?=bad|ok)/m).map((part) => part.replace(folder.path, '').trim().split(/\n\s+/))
    expect(faults).toEqual([
      [
        'bad  /a.json (fixture)',
        '$.features[0].name (line 1): must be a string, but is 1',
        '$.features["b"].type (line 1): must be a string, but is 2',
        '$.users (line 1): must be an array or an object, but is 4',
      ],
      [
        'bad  /b.json (fixture)',
        '$.features["a"].project (line 1): must be a project that exists, but is "no"; there are "default", "mobile-app"',
        '$.users[id 9].rootRole (line 1): must be the id or the name of a role that exists, but is 4711; there are "Admin" (1), "Editor" (2), "Viewer" (3), "Owner" (4), "Member" (5)',
      ],
      [
        'bad  /c.json (scenario)',
        '$.promise: is required',
        expect.stringMatching(/^\$\.force\[0\]\.operation \(line 1\): .*but is "clone"/),
      ],
      ['bad  /d.json', expect.stringContaining('is not well-formed JSON'), expect.any(String)],
      ['ok   /e.json (fixture)'],
      ['bad  nowhere.json', 'there is no such file', 'Pass the path of a JSON file, relative to the current folder.'],
    ])
  })

  it('flagdouble validate rejects a folder without files', async () => {
    const { path } = scratchFolder()
    const { done, stderr } = runCli(['validate', path])
    expect([await done, stderr()]).toEqual([2, expect.stringContaining(`The folder ${path} has no .json file.`)])
  })
})
