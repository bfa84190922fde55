import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { jsonSchemas } from '../../src/engine/scenarios/json-schemas.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'
import { IS_CI } from '../support/runs.js'

const SCHEMA = 'node_modules/flagdouble/dist/schema/state.json'

async function output(argv: readonly string[]) {
  const { done, stdout, stderr } = runCli(argv)
  return { code: await done, stdout: stdout(), stderr: stderr() }
}

describe('flagdouble init', () => {
  it('flagdouble init writes a valid fixture that adds its records', async () => {
    const file = join(scratchFolder().path, 'flagdouble.json')
    const { code, stdout } = await output(['init', file])
    expect(code).toBe(0)
    expect(stdout).toContain(`flagdouble --fixtures ${file}`)
    expect((await output(['validate', file])).stdout).toBe(`ok   ${file} (fixture)\n`)
    const { at } = await startCli(['--fixtures', file])
    const headers = { authorization: '*:*.mock-admin' }
    const feature = await (await fetch(`${at}/api/admin/projects/default/features/my-first-flag`, { headers })).json()
    expect(feature).toMatchObject({ name: 'my-first-flag', enabled: true })
    expect((await fetch(`${at}/api/admin/invite-link/tokens/my-invite`, { headers })).status).toBe(200)
  })

  it('flagdouble init refers to the schema of the installed package, here or in a parent folder', async () => {
    const { path } = scratchFolder()
    const schemaOf = (file: string) => JSON.parse(readFileSync(join(path, file), 'utf8')).$schema
    expect((await output(['init', join(path, 'before.json')])).stdout).toContain(
      'in a project that has flagdouble installed',
    )
    expect(schemaOf('before.json')).toBe(`./${SCHEMA}`)
    mkdirSync(join(path, dirname(SCHEMA)), { recursive: true })
    writeFileSync(join(path, SCHEMA), '{}')
    mkdirSync(join(path, 'mocks'))
    expect((await output(['init', join(path, 'here.json')])).stdout).not.toContain('npm install')
    await output(['init', join(path, 'mocks/below.json')])
    expect([schemaOf('here.json'), schemaOf('mocks/below.json')]).toEqual([`./${SCHEMA}`, `../${SCHEMA}`])
  })

  it('flagdouble init leaves an existing file unchanged', async () => {
    const file = scratchFolder().put('flagdouble.json', '{}')
    const { code, stderr } = await output(['init', file])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/flagdouble\.json already exists\.\nhint: .*unchanged.*init \S*flagdouble-2\.json\n/),
    ])
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  it('flagdouble init --agents writes the notes between two marks, and again in the same place', async () => {
    const folder = scratchFolder()
    const file = folder.put('AGENTS.md', '# Ours\n\nRun the tests.\n')
    expect((await output(['init', '--agents', file])).code).toBe(0)
    const once = readFileSync(file, 'utf8')
    expect(once).toMatch(
      /^# Ours\n\nRun the tests\.\n\n<!-- flagdouble: .*-->\n# flagdouble\n[\s\S]*<!-- \/flagdouble -->\n$/,
    )
    writeFileSync(file, `${once.replace('## Imports', '## Outdated')}\nMore of ours.\n`)
    await output(['init', '--agents', file])
    expect(readFileSync(file, 'utf8')).toBe(`${once}\nMore of ours.\n`)
    const created = join(folder.path, 'NEW.md')
    await output(['init', '--agents', created])
    expect(readFileSync(created, 'utf8')).toMatch(/^<!-- flagdouble/)
  })

  it('flagdouble init --agents leaves a file with only one of its marks unchanged', async () => {
    const file = scratchFolder().put('AGENTS.md', 'Ours.\n<!-- /flagdouble -->\n')
    const { code, stderr } = await output(['init', '--agents', file])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/has only one of the marks[\s\S]*hint: .*left unchanged/)])
    expect(readFileSync(file, 'utf8')).toBe('Ours.\n<!-- /flagdouble -->\n')
  })

  it('flagdouble init names a folder that does not exist', async () => {
    const { code, stderr } = await output(['init', join(scratchFolder().path, 'no/flagdouble.json')])
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no such folder')])
  })
})

const { state, scenario } = jsonSchemas()

it('the JSON schemas list every property of state and of scenarios', () => {
  const signupTokens = { anyOf: [{ type: 'array' }, { type: 'object' }] }
  expect(state).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { state: { properties: { signupTokens } } },
  })
  expect(scenario).toMatchObject({ definitions: { scenario: { properties: { promise: { type: 'string' } } } } })
})

it.runIf(IS_CI)('the JSON schema of a scenario refers to that of state next to it', () => {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.addSchema(state, 'state.json').compile(scenario)
  const given = { name: 'mine', title: 'Mine', promise: 'One feature.' }
  expect(validate({ ...given, seed: { features: [{ name: 'x' }] } })).toBe(true)
  expect(validate({ ...given, seed: { features: [{ nam: 'x' }] } })).toBe(false)
})
