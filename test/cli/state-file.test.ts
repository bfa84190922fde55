import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { ADMIN } from '../support/adapters.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

const headers = { authorization: ADMIN, 'content-type': 'application/json' }

async function clone(at: string, name: string): Promise<void> {
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  const answer = await fetch(at + path, { method: 'POST', headers, body: JSON.stringify({ name }) })
  expect(answer.status).toBe(200)
}

/** The names of the features in a file, which must be complete. */
function namesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const { sessions, features } = JSON.parse(text)
  const state = sessions?.shared.worlds.default.added ?? { features }
  return state.features.map(({ name }: { name: string }) => name)
}

it('the state file is created at the first change, and saved after each one', async () => {
  const file = join(scratchFolder().path, 'state.json')
  const { at } = await startCli(['--state', file])
  for (const name of ['one', 'two']) {
    await clone(at, name)
    await vi.waitFor(() => expect(namesIn(file)).toContain(name), { timeout: 10_000 })
  }
})

it('the state file is always complete, however fast the changes come', async () => {
  const folder = scratchFolder()
  const file = join(folder.path, 'state.json')
  const { at, signal, done } = await startCli(['--state', file])
  await clone(at, 'first')
  await vi.waitFor(() => expect(namesIn(file)).toContain('first'), { timeout: 10_000 })
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 10 }, (_, i) => clone(at, `clone-${round}-${i}`)))
    expect(namesIn(file)).toContain('first')
  }
  signal('SIGTERM')
  await done
  expect(namesIn(file).filter((name) => name.startsWith('clone-'))).toHaveLength(200)
  expect(readdirSync(folder.path)).toEqual([basename(file)])
})

it('a state file that can’t be saved is rejected', async () => {
  const folder = scratchFolder()
  const inNothing = runCli(['--port', '0', '--state', join(folder.path, 'no', 'state.json')])
  expect(await inNothing.done).toBe(2)
  expect(inNothing.stderr()).toMatch(/there is no such folder\.\nhint: /)
  const aFolder = runCli(['--port', '0', '--state', folder.path])
  expect(await aFolder.done).toBe(2)
  expect(aFolder.stderr()).toContain('this is a folder, not a file')
})

it('a fixture in place of a state file is recognized, and stays unchanged', async () => {
  const file = join(scratchFolder().path, 'own.json')
  writeFileSync(file, '{"features":[{"name":"mine"}]}')
  const { done, stderr } = runCli(['--state', file])
  expect(await done).toBe(2)
  expect(stderr()).toMatch(/is a fixture, .* a state file must contain complete sessions/)
  expect(stderr()).toContain(`--fixtures ${file}`)
  expect(stderr()).not.toContain('must be an environment')
  expect(readFileSync(file, 'utf8')).toBe('{"features":[{"name":"mine"}]}')
})

it('reads the file of an older version: fields that it lacked get their defaults', async () => {
  const folder = scratchFolder()
  const file = join(folder.path, 'state.json')
  const first = await startCli(['--state', file])
  await clone(first.at, 'mine')
  await vi.waitFor(() => expect(namesIn(file)).toContain('mine'), { timeout: 10_000 })
  first.signal('SIGTERM')
  await first.done
  const text = readFileSync(file, 'utf8')
  const older = text.replaceAll(/"impressionData": ?false,\s*/g, '')
  expect(older.length).toBeLessThan(text.length)
  writeFileSync(file, older)
  const { at } = await startCli(['--state', file])
  const response = await fetch(`${at}/api/admin/projects/default/features/mine`, { headers })
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ impressionData: false })])
})
