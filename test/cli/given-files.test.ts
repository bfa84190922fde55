import { appendFileSync, promises, readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

/** The output of `flagdouble validate` for a file with this content. */
async function validate(content: unknown): Promise<string[]> {
  const file = scratchFolder().put('given.json', content)
  const { done, stdout } = runCli(['validate', file])
  await done
  return stdout()
    .trimEnd()
    .replace(/\S*given\.json/, 'FILE')
    .split(/\n\s*/)
}

describe('flagdouble validate recognizes the kind of a file', () => {
  it('accepts comments and trailing commas', async () => {
    const text = '{\n  // mine\n  "features": [{ "name": "x", /* on */ "enabled": true, }],\n}'
    expect(await validate(text)).toEqual(['ok   FILE (fixture)'])
  })

  it.each(['', ' // mine'])('rejects a field called __proto__, also next to a comment', async (comment) => {
    expect(await validate(`{ "features": { "__proto__": { "enabled": true } } }${comment}`)).toEqual([
      'bad  FILE',
      '$.features.__proto__ (line 1): is a reserved name; put a record with this name into a list',
    ])
  })

  it('names the record and the line of an error', async () => {
    const features = [...Array(14).keys()].map((i) => ({ name: `flag-${i}` }))
    const given = {
      features: [
        ...features,
        { name: 'payments-3ds2', project: 'shp', environments: [{ name: 'production', enabled: 1 }] },
      ],
      segments: [{ id: 7, constraints: 'none' }],
    }
    const text = JSON.stringify(given, undefined, 2)
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length
    expect(await validate(`// mine\n${text}`)).toEqual([
      'bad  FILE (fixture)',
      `$.features["payments-3ds2"].environments["production"].enabled (line ${lineOf('"enabled"') + 1}): must be true or false, but is 1`,
      `$.segments[id 7].constraints (line ${lineOf('"constraints"') + 1}): must be an array, but is "none"`,
    ])
  })

  it.each([
    ['{', 'close brace expected (line 1 column 2)'],
    ['{"a": 1\n  "b": 2}', 'comma expected (line 2 column 3)'],
    ['{"a": x}', 'invalid symbol (line 1 column 7)'],
    ['// nothing', 'value expected (line 1 column 11)'],
    ['['.repeat(100_000), 'it is nested too deeply'],
  ])('reports the error in %.20s, with its place', async (text, fault) => {
    expect(await validate(text)).toEqual(['bad  FILE', `is not well-formed JSON: ${fault}`, 'Fix it and try again.'])
  })

  it.each([
    ['{features: []}', 'Write names and texts in double quotes, as JSON requires.'],
    ["{'features': []}", 'Write names and texts in double quotes, as JSON requires.'],
    ['null', '$: must be an object, but is null'],
    ['{"a":true,"b":false}', '$: is neither a fixture'],
    ['{"name":"my-app","version":"1.0.0","dependencies":{}}', '$: is neither a fixture'],
    ['[[features]]\nname = "a"', 'is TOML, and only JSON is read'],
    ['name,enabled\na,true\n', 'is CSV, and only JSON is read'],
    ['export default { features: [] }', 'is a module of JavaScript, and only JSON is read'],
    ['<html></html>', 'is a page or XML, and only JSON is read'],
    ['{"flags":{"a":{"on":true,"variations":[true,false]}}}', 'is not of Unleash, whose files have no "variations"'],
    ['{"flags":{"a":{"state":"ENABLED","defaultVariant":"on"}}}', 'whose files have no "defaultVariant"'],
    ['{"features":{"a":{"defaultValue":true}}}', 'whose files have no "defaultValue"'],
    ['[{"feature":{"name":"a"},"feature_state_value":null}]', 'whose files have no "feature_state_value"'],
  ])('says what %s is, or how to write it', async (text, told) => {
    expect(await validate(text)).toEqual(expect.arrayContaining([expect.stringContaining(told)]))
  })

  it("accepts another service's words in a description, as the name of a flag, and in a response", async () => {
    const features = [{ name: 'a', description: '{"variations":[],"defaultValue":1}' }]
    expect(await validate({ features })).toEqual(['ok   FILE (fixture)'])
    const strategies = [{ name: 'default', parameters: { namespace: 'shop' } }]
    const environments = [{ name: 'development', enabled: true, strategies }]
    const named = { defaultValue: { name: 'defaultValue', environments } }
    expect(await validate({ features: named })).toEqual(['ok   FILE (fixture)'])
    const force = [{ operation: 'getFeature', status: 503, body: { variations: [], namespace: 'shop' } }]
    expect(await validate({ name: 'x', title: 'X', promise: 'P.', force })).toEqual(['ok   FILE (scenario)'])
  })

  it('reports an error behind a comment', async () => {
    const [, fault] = await validate('{\n  // mine\n  "features": [}\n}')
    expect(fault).toMatch(/is not well-formed JSON: value expected \(line 3 column 16\)$/)
  })

  it('accepts the object form', async () => {
    expect(await validate({ features: { 'checkout-redesign': { enabled: false } } })).toEqual(['ok   FILE (fixture)'])
  })

  it('lists the records that a profile hides, and so does the banner of a server with that profile', async () => {
    const given = {
      projects: [{ id: 'shop' }, { id: 'gone', archivedAt: 'now-1d' }],
      environments: [{ name: 'staging' }],
    }
    const hidden = [
      'With the profile unleash-8, lists of projects leave out shop, as Unleash does.',
      'With the profile unleash-8, lists of environments leave out staging, as Unleash does.',
    ]
    expect(await validate(given)).toEqual(['ok   FILE (fixture)', ...hidden])
    const file = scratchFolder().put('given.json', given)
    const cli = runCli(['start', '--port', '0', '--fixtures', file, '--profile', 'unleash-8', '--scenario', 'empty'])
    await cli.url()
    expect(cli.stdout()).toContain('lists of projects leave out mobile-app, shop, as Unleash does')
    expect(cli.stdout()).toContain(hidden[1])
    const plain = runCli(['start', '--port', '0', '--fixtures', file])
    await plain.url()
    expect(plain.stdout()).not.toContain('leave out')
  })

  it('names the assumed kind of an invalid file', async () => {
    expect(await validate({ features: [{}] })).toEqual([
      'bad  FILE (fixture)',
      '$.features[0].name (line 1): is required',
    ])
    expect(await validate({ name: 'x', title: 'X' })).toEqual(['bad  FILE (scenario)', '$.promise: is required'])
  })

  it('explains how to use a bare record', async () => {
    expect(await validate({ name: 'x', enabled: true })).toEqual([
      'bad  FILE',
      '$: is neither a fixture, which has lists such as "features", nor a scenario, which has "name", "title" and "promise". It looks like a record: put it into a list, { "features": [ … ] }',
    ])
  })

  it.each([
    [
      { response: { jsonBody: { version: 2, features: [] } } },
      '$.response.jsonBody is features of a project, a saved response',
    ],
    [[['development', { toggles: [] }]], "$[0][1] is evaluated flags, a browser SDK's bootstrap list"],
  ])('says where a file of another tool contains flags: %j', async (file, part) => {
    const [, fault] = await validate(file)
    expect(fault).toMatch(/^\$: (is neither a fixture|must be an object)/)
    expect(fault?.endsWith(`. ${part}: save it as a separate file`)).toBe(true)
  })

  it('says how to write flags that are only true or false', async () => {
    const [, fault] = await validate({ 'new-checkout': true })
    expect(fault?.endsWith('. Write a flag as { "new-checkout": { "enabled": true } }')).toBe(true)
    expect(await validate({ 'new-checkout': { enabled: true } })).toContainEqual('1 feature')
  })

  it('treats a file with a misspelt list as a fixture, and suggests the list', async () => {
    expect(await validate({ feature: [{ name: 'x' }] })).toEqual([
      'bad  FILE (fixture)',
      '$: "feature" is unknown. Did you mean "features"?',
    ])
  })

  it('warns of names that lead to nothing', async () => {
    const strategy = {
      name: 'flexibleRollout',
      parameters: { rolout: '50', stickiness: 'userid' },
      constraints: [
        { contextName: 'userID', operator: 'IN', values: ['1'] },
        { contextName: 'userId', operator: 'NUM_GT', value: 'many' },
        { contextName: 'currentTime', operator: 'DATE_AFTER', value: 'tomorrow' },
        { contextName: 'appName', operator: 'SEMVER_GT', value: '1' },
      ],
    }
    const payload = { type: 'number', value: 'five' }
    const variants = [{ name: 'v', weight: 1000, payload }]
    const fixture = {
      features: [{ name: 'a', environments: [{ name: 'development', strategies: [strategy], variants }] }],
      apiTokens: [{ secret: 'shp:development.x', type: 'client', projects: ['shp'] }],
    }
    const where = 'The strategy flexibleRollout of the flag a names the'
    const warnings = [
      `${where} parameter "rolout". Did you mean "rollout"?`,
      `${where} stickiness "userid". Did you mean "userId"?`,
      `${where} context field "userID". Did you mean "userId"?`,
      'The strategy flexibleRollout of the flag a has a constraint on userId with NUM_GT "many", which isn\'t a number.',
      'The strategy flexibleRollout of the flag a has a constraint on currentTime with DATE_AFTER "tomorrow", which isn\'t a date.',
      'The strategy flexibleRollout of the flag a has a constraint on appName with SEMVER_GT "1", which isn\'t a version such as 1.2.0.',
      "The payload of the variant v of the flag a has the type number, but isn't a number.",
      `An API token names the project "shp", which doesn't exist. It gives access to nothing there.`,
    ]
    expect(await validate(fixture)).toEqual(['warn FILE (fixture)', ...warnings])
    const { stderr } = await startCli(['--fixtures', scratchFolder().put('given.json', fixture)])
    expect(stderr()).toBe(warnings.map((line) => `flagdouble: ${line}\n`).join(''))
  })

  it('warns of a token for an environment that no project and no flag has', async () => {
    const fixture = {
      environments: [{ name: 'qa' }],
      apiTokens: [{ secret: '*:qa.x', type: 'client', environment: 'qa' }],
    }
    const hidden = 'With the profile unleash-8, lists of environments leave out qa, as Unleash does.'
    expect(await validate(fixture)).toEqual([
      'warn FILE (fixture)',
      hidden,
      'An API token names the environment "qa", which no project has, so its flags are off. List it in "environments" of a project.',
    ])
    const projects = [{ id: 'default', environments: ['development', 'qa'] }]
    expect(await validate({ ...fixture, projects })).toEqual(['ok   FILE (fixture)', hidden])
    const features = [{ name: 'new', environments: [{ name: 'qa', enabled: true }] }]
    expect(await validate({ ...fixture, features })).toEqual(['ok   FILE (fixture)', hidden])
  })

  it('reports all errors of a scenario, including those of its data', async () => {
    const seed = { features: [{ name: 'x', project: 'nowhere' }] }
    expect(await validate({ name: 'x', title: 'X', seed })).toEqual([
      'bad  FILE (scenario)',
      '$.promise: is required',
      '$.seed.features["x"].project (line 1): must be a project that exists, but is "nowhere"; there are "default", "mobile-app"',
    ])
  })
})

it('flagdouble --fixtures explains how to use a state file', async () => {
  const file = scratchFolder().put('given.json', { flagdouble: 1, sessions: {} })
  const { done, stderr } = runCli(['--fixtures', file])
  expect([await done, stderr()]).toEqual([2, expect.stringMatching(/is a state file, not a fixture\nhint: .*--state/)])
})

it.each<[given: string, error: RegExp, command?: string]>([
  [
    'https://example.com/flags.json',
    /^flagdouble: https:\/\/example\.com\/flags\.json: there is .*\nhint: .*curl -o FILE URL/,
  ],
  [`'{"features":[]}'`, /there is no such file\nhint: Remove the quotes around the value\./],
  ['-', /^flagdouble: -: there is .*\nhint: Only start and exec read standard input/, 'export'],
  ['one.json,two.json', /\nhint: .* For several files, repeat the option\./],
])('flagdouble --fixtures explains a value that names no file: %s', async (given, error, command = 'start') => {
  const { done, stderr } = runCli([command, '--fixtures', given])
  expect([await done, stderr()]).toEqual([2, expect.stringMatching(error)])
})

it('flagdouble --fixtures explains how to use a scenario', async () => {
  const file = scratchFolder().put('given.json', { name: 'x', title: 'X', promise: 'X.' })
  const { done, stderr } = runCli(['--fixtures', file])
  expect(await done).toBe(2)
  expect(stderr()).toMatch(/is a scenario, not a fixture\nhint: .*--scenarios/)
})

it('flagdouble --fixtures explains once how to use a bare record', async () => {
  const file = scratchFolder().put('given.json', { name: 'x', enabled: true })
  const { done, stderr } = runCli(['--fixtures', file])
  expect(await done).toBe(2)
  expect(stderr().match(/put it into a list/gi)).toEqual(['put it into a list'])
})

describe('a folder of scenarios', () => {
  const scenario = (name: string, more: object = {}) => ({ name, title: 'T', promise: 'P.', ...more })
  const output = async (argv: string[]) => {
    const { done, stdout } = runCli(argv)
    return { code: await done, lines: stdout().trimEnd().split('\n') }
  }

  it('can be very large: each file is checked with its bases, not with all others', async () => {
    const folder = scratchFolder()
    for (let i = 0; i < 1000; i++)
      folder.put(`${i}.json`, scenario(`s${i}`, { extends: i % 10 ? `s${i - 1}` : 'default' }))
    const { code, lines } = await output(['validate', folder.path])
    expect([code, lines.length]).toEqual([0, 1000])
    expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  })

  it('is checked as a whole: for an unknown base with all names, a circle, and two files with one name', async () => {
    const folder = scratchFolder()
    folder.put('a.json', scenario('first', { extends: 'secnod' }))
    folder.put('b.json', scenario('second'))
    folder.put('c.json', scenario('third', { extends: 'fourth' }))
    folder.put('d.json', scenario('fourth', { extends: 'third' }))
    folder.put('e.json', scenario('twin'))
    folder.put('f.json', scenario('twin'))
    const { code, lines } = await output(['validate', folder.path])
    const faults = lines.filter((line) => line.startsWith('     ')).join('\n')
    expect(code).toBe(2)
    expect(faults).toMatch(/no scenario "secnod"\. Did you mean "second"\?/)
    expect(faults.match(/extends itself/g)).toHaveLength(2)
    expect(faults.match(/is also the name of the scenario in/g)).toHaveLength(2)
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(1)
  })

  it('can contain its own default, on which the others build', async () => {
    const folder = scratchFolder()
    folder.put('a.json', scenario('default', { seed: { projects: [{ id: 'mine', name: 'Mine' }] } }))
    folder.put('b.json', scenario('other', { seed: { features: [{ name: 'x', project: 'mine' }] } }))
    const { lines } = await output(['validate', folder.path])
    expect(lines.at(-1)).toMatch(/^ok .*b\.json/)
  })

  it('can contain a broken default: a scenario that does not build on it can start', async () => {
    const folder = scratchFolder()
    folder.put('a.json', scenario('other', { extends: 'empty' }))
    folder.put('b.json', scenario('default', { seed: { features: [{ name: 'x', project: 'none' }] } }))
    const { code, lines } = await output(['validate', folder.path])
    expect(code).toBe(2)
    expect(lines.map((line) => line.replace(folder.path, ''))).toEqual([
      'ok   /a.json (scenario)',
      'bad  /b.json (scenario)',
      '     $.seed.features["x"].project (line 1): must be a project that exists, but is "none"',
    ])
  })

  it('starts on the fixtures in the same call, in any order', async () => {
    const folder = scratchFolder()
    const fixture = scratchFolder().put('flags.json', { projects: [{ id: 'shop' }], features: [{ name: 'shop-flag' }] })
    folder.put('a.json', scenario('changes', { seed: { features: { 'shop-flag': { stale: true } } } }))
    folder.put('b.json', scenario('generates', { generate: { features: 40, project: 'shop' } }))
    const together = await output(['validate', folder.path, fixture])
    expect([together.code, together.lines.flatMap((line) => /^\w+/.exec(line) ?? [])]).toEqual([0, ['ok', 'ok', 'ok']])
    const alone = await output(['validate', folder.path])
    expect(alone.code).toBe(2)
    expect(alone.lines.filter((line) => line.startsWith('  ')).map((line) => line.trim())).toEqual([
      expect.stringMatching(/^\$\.seed\.features\.shop-flag \(line 1\): must be a feature that exists/),
      '$.generate.project (line 1): must be a project that exists, but is "shop"; there are "default", "mobile-app"',
    ])
  })

  it('distinguishes a wrong fixture from a wrong scenario on it', async () => {
    const folder = scratchFolder()
    folder.put('a.json', scenario('changes', { seed: { features: [{ name: 'new', project: 'shop' }] } }))
    const fixture = scratchFolder().put('flags.json', { features: [{ name: 'x', project: 'nowhere' }] })
    const { done, stderr } = runCli(['--fixtures', fixture, '--scenarios', folder.path])
    expect(await done).toBe(2)
    expect(stderr()).toMatch(/flags\.json: \$\.features\["x"\]\.project \(line 1\): must be a project that exists/)
  })

  it('accepts a saved scenario: it starts the same on the same fixtures', async () => {
    const folder = scratchFolder()
    const fixture = scratchFolder().put('flags.json', { projects: [{ id: 'shop' }], features: [{ name: 'shop-flag' }] })
    const flags = ['--fixtures', fixture, '--scenarios', folder.path, '--now', '2026-11-20T12:00:00Z']
    const call = async (at: string, method: string, path: string, body?: unknown) => {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
      const response = await fetch(`${at}/__mock/${path}`, { ...init, headers: { 'content-type': 'application/json' } })
      return { status: response.status, body: await response.json() }
    }
    const first = await startCli([...flags, '--watch'])
    await call(first.at, 'PATCH', 'state', { features: { 'shop-flag': { stale: true, enabled: false } } })
    await call(first.at, 'PATCH', 'state', { features: [{ name: 'one-more', project: 'shop' }] })
    const title = { name: 'off', title: 'Off', promise: 'shop-flag is off.' }
    const saved = await call(first.at, 'POST', 'scenarios', title)
    expect([saved.status, saved.body.file]).toEqual([201, join(folder.path, 'off.json')])
    const state = await call(first.at, 'GET', 'state')
    const again = await startCli([...flags, '--scenario', 'off'])
    const { body } = await call(again.at, 'GET', 'state')
    const withoutIds = ({ features, projects }: Record<string, unknown>) =>
      JSON.stringify([features, projects]).replaceAll(/"01[0-9A-Z]{24}"/g, '"an id"')
    expect(withoutIds(body)).toBe(withoutIds(state.body))
  })

  it('stays unchanged if a file already has the name', async () => {
    const folder = scratchFolder()
    folder.put('off.json', scenario('on'))
    const { at } = await startCli(['--scenarios', folder.path])
    const init = {
      method: 'POST',
      body: JSON.stringify(scenario('off')),
      headers: { 'content-type': 'application/json' },
    }
    const answer = await fetch(`${at}/__mock/scenarios`, init)
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'SCENARIO_EXISTS'])
    const { body } = { body: await (await fetch(`${at}/__mock/scenarios`)).json() }
    expect(body.map(({ name }: { name: string }) => name)).not.toContain('off')
  })
})

describe('a folder of scenarios', () => {
  const save = (at: string, name: string) =>
    fetch(`${at}/__mock/scenarios`, { method: 'POST', body: JSON.stringify({ name, title: 'Mine', promise: 'Mine.' }) })
  const remove = (at: string, name: string) => fetch(`${at}/__mock/scenarios/${name}`, { method: 'DELETE' })

  it('loses the file of a removed scenario, unless a user has changed it', async () => {
    const folder = scratchFolder()
    const { at } = await startCli(['--scenarios', folder.path])
    for (const name of ['one', 'two']) expect((await save(at, name)).status).toBe(201)
    expect(readdirSync(folder.path).toSorted()).toEqual(['one.json', 'two.json'])
    appendFileSync(join(folder.path, 'two.json'), '\n')
    for (const name of ['one', 'two']) expect((await remove(at, name)).status).toBe(204)
    expect(readdirSync(folder.path)).toEqual(['two.json'])
    expect((await save(at, 'one')).status).toBe(201)
    expect((await save(at, 'two')).status).toBe(409)
  })

  it('keeps a scenario whose file can’t be removed', async () => {
    const folder = scratchFolder()
    const { at } = await startCli(['--scenarios', folder.path])
    expect((await save(at, 'one')).status).toBe(201)
    const { rm } = promises
    promises.rm = async (path, options) => {
      if (String(path).endsWith('one.json')) throw Object.assign(new Error('EROFS'), { code: 'EROFS' })
      await rm(path, options)
    }
    syncBuiltinESMExports()
    onTestFinished(() => {
      promises.rm = rm
      syncBuiltinESMExports()
    })
    const refused = await remove(at, 'one')
    expect([refused.status, refused.headers.get('x-mock-error')]).toEqual([500, 'STATE_NOT_SAVED'])
    expect((await fetch(`${at}/__mock/scenarios/one`)).status).toBe(200)
    promises.rm = rm
    syncBuiltinESMExports()
    expect([(await remove(at, 'one')).status, readdirSync(folder.path)]).toEqual([204, []])
  })

  it('gets one file if several requests save a scenario of the same name at once', async () => {
    const { at } = await startCli(['--scenarios', scratchFolder().path])
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(at, 'one')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  it('ignores a file with a leading dot, and reads X.JSON', async () => {
    const folder = scratchFolder()
    folder.put('.#mine.json', 'x')
    folder.put('X.JSON', { name: 'loud', title: 'Loud', promise: 'It is read.' })
    const { at } = await startCli(['--scenarios', folder.path, '--scenario', 'loud'])
    expect((await fetch(`${at}/__mock/scenario`)).status).toBe(200)
  })

  it.each(['con', 'nul', 'com1'])('contains no scenario that Windows can’t store: %s', async (name) => {
    const { at } = await startCli([])
    expect((await save(at, name)).status).toBe(400)
  })
})

describe('files that look like JSON, and are not', () => {
  const failureOf = async (name: string, text: string) => {
    const file = scratchFolder().put(name, Buffer.from(text))
    const { done, stderr } = runCli(['--fixtures', file])
    return [
      await done,
      stderr()
        .replaceAll(file, 'FILE')
        .replaceAll(file.replace(/\.ya?ml$/, ''), 'FILE'),
    ]
  }

  it('a key that an object has twice is an error, with both lines', async () => {
    const text =
      '{\n  "features": [{ "name": "a" }],\n  // of the other branch\n  "features": [{ "name": "b", "name": "c" }]\n}'
    const [code, told] = await failureOf('merged.json', text)
    expect(code).toBe(2)
    expect(told).toContain('$.features is there twice, in lines 2 and 4 (and 1 more)')
    const file = scratchFolder().put('merged.json', Buffer.from(text))
    const { done, stdout } = runCli(['validate', file])
    expect(await done).toBe(2)
    expect(stdout()).toContain('$.features[0].name is there twice, in line 4')
  })

  it.each([
    ['flags.yml', 'features:\n  - name: a\n'],
    ['flags.json', '# my flags\n---\nfeatures:\n  - name: a\n'],
  ])('a file in YAML is named as such: %s', async (name, text) => {
    const [code, told] = await failureOf(name, text)
    expect(code).toBe(2)
    expect(told).toContain('is YAML, and only JSON is read')
    expect(told).toContain('hint: Convert it: npx js-yaml ')
  })

  it('a list of records is an error that shows the object around it', async () => {
    const [code, told] = await failureOf('tags.json', '[{ "name": "a", "stale": true }]')
    expect(code).toBe(2)
    expect(told).toContain('$: must be an object, but is an array')
    expect(told).toContain('hint: Put it into one: { "features": [ … ] }.')
  })

  it('only the flags of the file are searched for misspelt names', async () => {
    const file = scratchFolder().put('own.json', { contextFields: [{ name: 'version' }] })
    const { done, stdout } = runCli(['validate', file])
    expect([await done, stdout()]).toEqual([0, `ok   ${file} (fixture)\n`])
    expect((await startCli(['--fixtures', file])).stderr()).toBe('')
  })
})

describe('seed data without a file', () => {
  const features = { features: [{ name: 'inline', enabled: true }] }
  const isServed = async (at: string) => {
    const response = await fetch(`${at}/api/admin/projects/default/features/inline`, {
      headers: { authorization: '*:*.mock-admin' },
    })
    return response.status
  }

  it('FLAGDOUBLE_FIXTURES takes JSON in place of names', async () => {
    const { at, stderr } = await startCli(['--quiet'], { env: { FLAGDOUBLE_FIXTURES: JSON.stringify(features) } })
    expect([await isServed(at), stderr()]).toEqual([200, ''])
  })

  it('--fixtures - reads standard input, also together with a file, and with --watch', async () => {
    const file = scratchFolder().put('own.json', { features: [{ name: 'other' }] })
    const { at, stderr } = await startCli(['--fixtures', file, '--fixtures', '-', '--watch', '--quiet'], {
      input: '// a comment\n{ "features": [{ "name": "inline", }] }',
    })
    expect([await isServed(at), stderr()]).toEqual([200, ''])
  })

  it.each<[string, object, string]>([
    ['the variable', { env: { FLAGDOUBLE_FIXTURES: '{"features":[{"nam":"x"}]}' } }, 'the given JSON: $.features[0]'],
    [
      'the variable, broken',
      { env: { FLAGDOUBLE_FIXTURES: '{"features":' } },
      'the given JSON: is not well-formed JSON',
    ],
    ['standard input', { input: '' }, 'standard input: is empty'],
  ])('an error names its source: %s', async (_, options, message) => {
    const argv = 'input' in options ? ['--fixtures', '-'] : []
    const { done, stderr } = runCli(['--port', '0', ...argv], options)
    expect([await done, stderr()]).toEqual([2, expect.stringContaining(`flagdouble: ${message}`)])
  })
})

it.each([
  ['scenarios in other formats', ['a.js', 'b.yaml', 'ok.json', 'notes.md'], 'a.js, b.yaml'],
  ['a folder without .json files', ['notes.md'], 'notes.md'],
])('a warning names files of --scenarios that are not read: %s', async (_, names, unread) => {
  const { path, put } = scratchFolder()
  for (const name of names) put(name, { name: 'mine', title: 'Mine', promise: 'It starts.' })
  const { stderr } = await startCli(['--scenarios', path])
  expect(stderr()).toBe(`flagdouble: Not read in ${path}: ${unread}. Scenarios are .json files right in this folder.\n`)
})

it('an empty folder of --scenarios has no warning: it is for scenarios to save', async () => {
  const { stderr } = await startCli(['--scenarios', scratchFolder().path])
  expect(stderr()).toBe('')
})
