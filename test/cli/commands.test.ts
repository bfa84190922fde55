import { describe, expect, it } from 'vitest'
import { scenarios } from '../../scenarios/index.js'
import { runCli, scratchFolder } from '../support/cli.js'

async function output(argv: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { done, stdout, stderr } = runCli(argv)
  return { code: await done, stdout: stdout(), stderr: stderr() }
}

describe('flagdouble scenarios', () => {
  it('lists name and promise of each', async () => {
    const { code, stdout } = await output(['scenarios'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(scenarios.length)
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(scenarios.map(({ name, promise }) => [name, promise]))
  })

  it('lists those of a folder, too, as JSON if told to', async () => {
    const folder = scratchFolder()
    folder.put('mine.json', { name: 'mine', title: 'Mine', promise: 'It is mine.' })
    const { stdout } = await output(['scenarios', '--scenarios', folder.path, '--json'])
    expect(JSON.parse(stdout)).toHaveLength(scenarios.length + 1)
    expect(JSON.parse(stdout).at(-1)).toEqual({ name: 'mine', title: 'Mine', promise: 'It is mine.' })
  })
})

it('flagdouble openapi prints the document', async () => {
  const { code, stdout } = await output(['openapi'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', info: { title: 'flagdouble' } })
})

describe('flagdouble validate', () => {
  it('tells that files are well-formed', async () => {
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

  it('tells every fault of every file: where, what was expected, what was found', async () => {
    const folder = scratchFolder()
    folder.put('a.json', { features: [{ name: 1 }, { name: 'b', type: 2 }], users: {} })
    folder.put('b.json', { features: [{ name: 'a', project: 'no' }], users: [{ id: 9, rootRole: 4711 }] })
    folder.put('c.json', { name: 'mine', title: 'Mine', force: [{ operation: 'clone' }] })
    folder.put('d.json', '{')
    folder.put('e.json', { features: [{ name: 'fine' }] })
    const { code, stdout } = await output(['validate', folder.path, 'nowhere.json'])
    expect(code).toBe(2)
    const faults = stdout.split(/^(?=bad|ok)/m).map((part) => part.replace(folder.path, '').trim().split(/\n\s+/))
    expect(faults).toEqual([
      [
        'bad  /a.json',
        '$.features[0].name: expected string, found 1',
        '$.features[1].type: expected string, found 2',
        '$.users: expected array, found an object',
      ],
      [
        'bad  /b.json',
        '$.features[0].project: expected a project that exists, found "no"',
        '$.users[0].rootRole: expected the id of a role that exists, found 4711',
      ],
      [
        'bad  /c.json',
        '$.promise: expected string, found nothing',
        expect.stringMatching(/^\$\.force\[0\]\.operation: .*found "clone"/),
      ],
      ['bad  /d.json', expect.stringContaining('is not well-formed JSON')],
      ['ok   /e.json (fixture)'],
      ['bad  nowhere.json', 'there is no such file'],
    ])
  })
})
