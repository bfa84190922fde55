import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runCli, scratchFolder, startCli } from '../support/cli.js'
import { ADMIN } from '../support/doors.js'

const headers = { authorization: ADMIN, 'content-type': 'application/json' }

async function clone(at: string, name: string): Promise<void> {
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  const answer = await fetch(at + path, { method: 'POST', headers, body: JSON.stringify({ name }) })
  expect(answer.status).toBe(200)
}

function namesIn(file: string): string[] {
  return JSON.parse(readFileSync(file, 'utf8')).features.map(({ name }: { name: string }) => name)
}

it('is made at the first change, and saved after each', async () => {
  const file = join(scratchFolder().path, 'state.json')
  const { at } = await startCli(['--state', file])
  for (const name of ['one', 'two']) {
    await clone(at, name)
    await vi.waitFor(() => expect(namesIn(file)).toContain(name), { timeout: 10_000 })
  }
})

it('is saved at stop, and loaded at start', async () => {
  const file = join(scratchFolder().path, 'state.json')
  const first = await startCli(['--state', file])
  await clone(first.at, 'kept')
  first.signal('SIGTERM')
  expect(await first.done).toBe(0)
  expect(namesIn(file)).toContain('kept')

  const second = await startCli(['--state', file])
  const answer = await fetch(`${second.at}/api/admin/projects/default/features/kept`, { headers })
  expect(answer.status).toBe(200)
})

it('keeps the unnamed session only', async () => {
  const file = join(scratchFolder().path, 'state.json')
  const { at, signal, done } = await startCli(['--state', file])
  const body = JSON.stringify({ name: 'elsewhere' })
  const named = { ...headers, 'x-mock-session': 'a' }
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  expect((await fetch(at + path, { method: 'POST', headers: named, body })).status).toBe(200)
  signal('SIGINT')
  await done
  expect(namesIn(file)).not.toContain('elsewhere')
})

it('is whole at every moment, however fast the changes come', async () => {
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

it('is written behind a link, which stays one', async () => {
  const folder = scratchFolder()
  const file = folder.put('real.json', {})
  const link = join(folder.path, 'link.json')
  symlinkSync(file, link)
  const { signal, done } = await startCli(['--state', link])
  signal('SIGTERM')
  await done
  expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(1)
})

it('is refused when broken, and left untouched', async () => {
  const folder = scratchFolder()
  const file = folder.put('state.json', '{"features": [{"name": "half')
  const before = statSync(file).mtimeMs
  const { done, stderr } = runCli(['--port', '0', '--state', file])
  expect(await done).toBe(2)
  expect(stderr()).toContain('state.json: is not well-formed JSON')
  expect(readFileSync(file, 'utf8')).toBe('{"features": [{"name": "half')
  expect(statSync(file).mtimeMs).toBe(before)
})

it('is refused where it can not be saved', async () => {
  const folder = scratchFolder()
  const inNothing = runCli(['--port', '0', '--state', join(folder.path, 'no', 'state.json')])
  expect(await inNothing.done).toBe(2)
  expect(inNothing.stderr()).toMatch(/there is no such folder\.\nhint: /)
  const aFolder = runCli(['--port', '0', '--state', folder.path])
  expect(await aFolder.done).toBe(2)
  expect(aFolder.stderr()).toContain('this is a folder, not a file')
})
