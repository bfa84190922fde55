import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SCENARIOS_SAVED } from '../../src/engine/scenarios/saved-scenarios.js'
import { runCli, scratchFolder } from '../support/cli.js'
import { startWithState } from '../support/state-server.js'

const newFile = () => join(scratchFolder().path, 'state.json')

it('--state: a scenario that builds on one that another session saved survives a restart', async () => {
  const file = newFile()
  const first = await startWithState(file)
  const titled = (name: string) => ({ name, title: 'Saved', promise: 'It is there tomorrow.' })
  await first.create('saved')
  await first.send('POST', '/__mock/scenarios', titled('kept'))
  const added = { ...titled('added'), extends: 'kept' }
  expect((await first.send('PUT', '/__mock/scenarios/added', added, { session: 'ada' })).status).toBe(201)
  await first.switchTo('added', { session: 'ada' })
  await first.create('in-added', { session: 'ada' })
  await first.stop()
  const second = await startWithState(file)
  expect([await second.activeScenarios({ session: 'ada' }), await second.names({ session: 'ada' })]).toEqual([
    ['added'],
    ['saved', 'in-added'],
  ])
})

it('--state: the flag --scenario takes precedence over the scenario in the file', async () => {
  const file = newFile()
  const first = await startWithState(file)
  await first.switchTo('empty')
  await first.create('in-empty')
  await first.stop()
  const second = await startWithState(file, '--scenario', 'expired-token')
  expect(await second.activeScenarios()).toEqual(['expired-token'])
  expect(await second.names({ scenario: 'empty' })).toEqual(['in-empty'])
})

it('--state: clocks and rules start over after a switch, as without --state', async () => {
  const server = await startWithState(newFile())
  await server.create('mine')
  await server.send('PUT', '/__mock/clock', { now: '2030-01-01T00:00:00Z' })
  await server.send('POST', '/__mock/forced', { operation: 'getFeature', status: 500 })
  await server.switchTo('default')
  expect(await server.read('/__mock/clock')).toMatchObject({ frozen: false })
  expect(await server.read('/__mock/forced')).toEqual([])
  expect(await server.names()).toEqual(['mine'])
})

it('--state: with a seed, new records get unused IDs', async () => {
  const file = newFile()
  const clone = (server: Awaited<ReturnType<typeof startWithState>>, name: string) =>
    server.send('POST', '/api/admin/projects/default/features/checkout-redesign/clone', { name })
  const first = await startWithState(file, '--seed', '1')
  await clone(first, 'one')
  await first.switchTo('default')
  await clone(first, 'two')
  await first.stop()
  const second = await startWithState(file, '--seed', '1')
  await clone(second, 'three')
  const ids = await second.strategyIds()
  expect(new Set(ids).size).toBe(ids.length)
})

it('--state: a plain state loads as that of the shared session, and stays unchanged until the first change', async () => {
  const folder = scratchFolder()
  const before = await startWithState(join(folder.path, 'before.json'))
  await before.create('kept')
  const plain = await (await before.send('GET', '/__mock/state')).text()
  const file = folder.put('plain.json', plain)

  const first = await startWithState(file)
  expect(await first.names()).toEqual(['kept'])
  expect(await first.read('/__mock/state')).toEqual(JSON.parse(plain))
  await first.stop()
  expect(readFileSync(file, 'utf8')).toBe(plain)

  const second = await startWithState(file)
  await second.create('added')
  await second.stop()
  expect(await (await startWithState(file)).names()).toEqual(['kept', 'added'])
})

it('--state: the file is one document that users can read and edit', async () => {
  const file = newFile()
  const first = await startWithState(file)
  await first.create('mine')
  await first.create('of-shared', { session: 'shared' })
  await first.switchTo('empty', { session: 'ada' })
  await first.names({ scenario: 'expired-token' })
  await first.stop()
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  expect(kept).toMatchObject({
    flagdouble: 2,
    sessions: {
      shared: { worlds: { default: { added: { features: [{ name: 'mine' }] } } } },
      ada: { scenario: ['empty'] },
    },
  })
  expect(Object.keys(kept.sessions)).toEqual(['shared', 'ada', '_shared'])
  expect(Object.keys(kept.sessions.shared.worlds), 'a scenario that was only read is not saved').toEqual(['default'])
  kept.sessions.shared.worlds.default.added.features[0].description = 'edited'
  writeFileSync(file, JSON.stringify(kept))
  const second = await startWithState(file)
  const { features } = await second.read('/__mock/state')
  expect(features.find(({ name }: { name: string }) => name === 'mine').description).toBe('edited')
  const sessions: { name: string }[] = await second.read('/__mock/sessions')
  expect(sessions.map(({ name }) => name)).toEqual(expect.arrayContaining(['ada', 'shared']))
  expect([await second.names(), await second.names({ session: 'shared' })]).toEqual([['mine'], ['of-shared']])
})

it.each([
  ['{"flagdouble":1,"sessions":{}}', '$.flagdouble'],
  [
    '{"flagdouble":2,"sessions":{"shared":{"worlds":{"default":{"features":[{}]}}}}}',
    '$.sessions.shared.worlds.default (line 1): "features" is unknown',
  ],
  [
    '{"flagdouble":2,"sessions":{"shared":{"worlds":{"default":{"added":{"feature":[{"name":"mine"}]}}}}}}',
    '$.sessions.shared.worlds.default.added (line 1): "feature" is unknown. Did you mean "features"?',
  ],
  [
    '{"flagdouble":2,"sessions":{"shared":{"scenarios":[{"name":"x"}]}}}',
    '$.sessions.shared.scenarios["x"].title (line 1)',
  ],
  ['{"flagdouble":1,', 'is not well-formed JSON'],
  ['{"flagdouble":3,"sessions":{}}', 'the format that this version of flagdouble reads'],
  ['{"flagdouble":"state","format":1,"version":"0.1.0"}\n{"state":1}', 'is the state file of an earlier version'],
  ['{"name":"mine","title":"Mine","promise":"Mine."}', 'is a scenario, not a state file'],
])(
  '--state: with an unreadable file, the server exits and names its place; the file stays unchanged: %s',
  async (text, place) => {
    const file = newFile()
    writeFileSync(file, text)
    const { done, stderr } = runCli(['--port', '0', '--state', file])
    expect(await done).toBe(2)
    expect(stderr()).toContain(`${file}: `)
    expect(stderr()).toContain(place)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

it('--state: a session that can’t be read takes no other along, and stays in the file', async () => {
  const file = newFile()
  const first = await startWithState(file)
  await first.create('mine')
  await first.create('of-ada', { session: 'ada' })
  await first.stop()
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  kept.sessions.ada.worlds.default.added.features = 'yes'
  const broken = { ada: kept.sessions.ada }
  const odd = '"__proto__": { "scenario": ["empty"] }'
  writeFileSync(file, JSON.stringify(kept).replace('"sessions":{', `"sessions":{${odd},`))

  const second = await startWithState(file)
  expect(second.stderr()).toContain(`${file}: `)
  expect(second.stderr()).toContain('$.sessions.ada.worlds.default.added.features')
  expect(second.stderr()).toContain('A session can\'t have the name "__proto__"')
  expect([await second.names(), await second.names({ session: 'ada' })]).toEqual([['mine'], []])
  await second.create('new', { session: 'ada' })
  await second.stop()
  const { unreadable } = JSON.parse(readFileSync(file, 'utf8'))
  expect(unreadable).toHaveLength(2)
  expect(unreadable).toContainEqual(broken)

  const third = await startWithState(file)
  expect(third.stderr()).toContain('An earlier start could not read 2 sessions.')
  expect([await third.names(), await third.names({ session: 'ada' })]).toEqual([['mine'], ['new']])
})

it('--state: a record that can’t be read sleeps with a notice, and the others are there', async () => {
  const file = newFile()
  const first = await startWithState(file)
  await first.create('mine')
  await first.create('other')
  await first.stop()
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  const { features } = kept.sessions.shared.worlds.default.added
  features[0].stale = 'yes'
  features.push({ description: 'one' }, { description: 'two' })
  writeFileSync(file, JSON.stringify(kept))
  const second = await startWithState(file)
  expect(await second.names()).toEqual(['other'])
  const notice = "3 of your changes don't fit your files: features.mine.stale must be true or false"
  expect(second.stderr()).toContain(notice)
  expect((await second.read('/__mock/scenario')).notice).toContain(notice)
  await second.create('later')
  await second.stop()
  const { added } = JSON.parse(readFileSync(file, 'utf8')).sessions.shared.worlds.default
  expect(added.features).toEqual(expect.arrayContaining(features))
  expect(added.features).toHaveLength(features.length + 1)
})

it('--state: an empty file is a new one', async () => {
  const file = newFile()
  writeFileSync(file, '\n')
  const first = await startWithState(file)
  await first.create('mine')
  await first.stop()
  expect(await (await startWithState(file)).names()).toEqual(['mine'])
})

it('--state: a write after a switch is saved, and a write that is waiting at a reset does nothing', async () => {
  const server = await startWithState(newFile())
  await server.send('POST', '/__mock/forced', { operation: 'createFeature', delay: 300 })
  const late = server.create('late')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await server.switchTo('default')
  await late
  expect(await server.names()).toEqual(['late'])
  await server.send('POST', '/__mock/forced', { operation: 'createFeature', delay: 300 })
  const lost = server.send('POST', '/api/admin/projects/default/features', { name: 'lost' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await server.reset()
  expect([(await lost).status, await server.names()]).toEqual([503, []])
})

it('--state: a scenario whose base is gone is left out, and its session is in the default scenario', async () => {
  const [file, folder] = [newFile(), scratchFolder()]
  const base = folder.put('mine.json', { name: 'mine', title: 'Mine', promise: 'It is mine.' })
  folder.put('saved.json', { name: 'saved', title: 'Saved', promise: 'It was saved.', extends: 'mine' })
  const server = await startWithState(file, '--scenarios', folder.path)
  await server.switchTo('saved')
  await server.create('kept')
  await server.stop()
  rmSync(base)
  const again = await startWithState(file, '--scenarios', folder.path)
  expect(await again.activeScenarios()).toEqual(['default'])
  expect(again.stderr()).toMatch(/saved\.json is left out: one of its bases is missing\. There is no scenario "mine"\./)
  const { status, headers } = await again.send('GET', '/api/admin/projects')
  expect([status, headers.get('x-mock-hint')]).toEqual([200, expect.stringContaining('"saved" can\'t start any more')])
})

it('--scenarios: beyond the limit of files, nothing is saved, and all saved scenarios stay', async () => {
  const folder = scratchFolder()
  const server = await startWithState(newFile(), '--scenarios', folder.path)
  const save = (name: string) => server.send('POST', '/__mock/scenarios', { name, title: 'T', promise: 'P.' })
  for (let i = 0; i < SCENARIOS_SAVED; i++) expect((await save(`s-${i}`)).status).toBe(201)
  expect((await save('one-more')).status).toBe(507)
  const listed: { name: string }[] = await server.read('/__mock/scenarios')
  const saved = listed.filter(({ name }) => name.startsWith('s-') || name === 'one-more')
  expect([saved.length, readdirSync(folder.path).length]).toEqual([SCENARIOS_SAVED, SCENARIOS_SAVED])
})
