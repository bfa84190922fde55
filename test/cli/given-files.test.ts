import { describe, expect, it } from 'vitest'
import { runCli, scratchFolder } from '../support/cli.js'

/** What `flagdouble validate` says about a file with this content. */
async function validate(content: unknown): Promise<string[]> {
  const file = scratchFolder().put('given.json', content)
  const { done, stdout } = runCli(['validate', file])
  await done
  return stdout()
    .trimEnd()
    .replace(/\S*given\.json/, 'FILE')
    .split(/\n\s*/)
}

describe('flagdouble validate tells what a file is', () => {
  it('accepts comments and trailing commas', async () => {
    const text = '{\n  // mine\n  "features": [{ "name": "x", /* on */ "enabled": true, }],\n}'
    expect(await validate(text)).toEqual(['ok   FILE (fixture)'])
  })

  it('reports an error behind a comment', async () => {
    const [, fault] = await validate('{\n  // mine\n  "features": [}\n}')
    expect(fault).toMatch(/is not well-formed JSON: Unexpected token '\}'.* \(line 3 column 16\)$/)
  })

  it('accepts the object form', async () => {
    expect(await validate({ features: { 'checkout-redesign': { enabled: false } } })).toEqual(['ok   FILE (fixture)'])
  })

  it('says which kind of file a bad one was taken for', async () => {
    expect(await validate({ features: [{}] })).toEqual(['bad  FILE (fixture)', '$.features[0].name: is required'])
    expect(await validate({ name: 'x', title: 'X' })).toEqual(['bad  FILE (scenario)', '$.promise: is required'])
  })

  it('says what to do with a bare record', async () => {
    expect(await validate({ name: 'x', enabled: true })).toEqual([
      'bad  FILE',
      '$: is neither a fixture, which has lists such as "features", nor a scenario, which has "name", "title" and "promise". It looks like a record: put it into a list, { "features": [ … ] }',
    ])
  })

  it('takes a file with a misspelt list for a fixture, and suggests the list', async () => {
    expect(await validate({ feature: [{ name: 'x' }] })).toEqual([
      'bad  FILE (fixture)',
      '$: "feature" is not known here. Did you mean "features"?',
    ])
  })

  it('reports all faults of a scenario, those of its data included', async () => {
    const seed = { features: [{ name: 'x', project: 'nowhere' }] }
    expect(await validate({ name: 'x', title: 'X', seed })).toEqual([
      'bad  FILE (scenario)',
      '$.promise: is required',
      '$.seed.features[0].project: must be a project that exists, but is "nowhere"',
    ])
  })
})

it('flagdouble --fixtures says what to do with a scenario', async () => {
  const file = scratchFolder().put('given.json', { name: 'x', title: 'X', promise: 'X.' })
  const { done, stderr } = runCli(['--fixtures', file])
  expect(await done).toBe(2)
  expect(stderr()).toMatch(/is a scenario, not a fixture\nhint: .*--scenarios/)
})
