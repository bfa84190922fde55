import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { scratchFolder } from '../support/cli.js'
import { endAll, PATIENCE, type Running, serve } from '../support/process.js'
import { clientOf, type StateClient } from '../support/state-server.js'

afterAll(endAll)

type Server = StateClient & Running

async function start(file: string, flags: readonly string[] = []): Promise<Server> {
  const running = await serve('--quiet', '--state', file, ...flags)
  return { ...running, ...clientOf((path, init) => fetch(running.at + path, init)) }
}

async function kill({ child, exit }: Server): Promise<void> {
  child.kill('SIGKILL')
  await exit
}

/** A client with its own session: it creates features one after the other. */
interface Client {
  session: string
  sent: string[]
  acknowledged: string[]
}

async function createUntilKilled({ create }: Server, client: Client): Promise<void> {
  for (;;) {
    const name = `feature-${client.sent.length}`
    client.sent.push(name)
    try {
      await create(name, { session: client.session })
    } catch {
      return
    }
    client.acknowledged.push(name)
  }
}

const acknowledged = (clients: readonly Client[]) =>
  clients.reduce((sum, client) => sum + client.acknowledged.length, 0)

/** The saved features are the first of the sent ones, at least `atLeast` of them. */
async function expectKept({ names }: Server, { session, sent }: Client, atLeast: number): Promise<string[]> {
  const kept = await names({ session })
  expect(kept).toEqual(sent.slice(0, kept.length))
  expect(kept.length).toBeGreaterThanOrEqual(atLeast)
  return kept
}

it.each([
  [0, []],
  [1, ['--state-sync']],
])(
  'a killed server has saved the first of its changes; with --state-sync, all acknowledged changes: %j',
  { timeout: 120_000 },
  async (share, flags) => {
    const folder = scratchFolder().path
    const file = join(folder, 'state.json')
    const clients = ['', 'ada', 'bob'].map((session): Client => ({ session, sent: [], acknowledged: [] }))
    for (let round = 0; round < 8; round++) {
      const server = await start(file, flags)
      for (const client of clients) {
        const kept = await expectKept(server, client, share * client.acknowledged.length)
        // Changes in progress when the server was killed can also be saved.
        client.sent = kept
        client.acknowledged = [...kept]
      }
      const clientsDone = clients.map((client) => createUntilKilled(server, client))
      // Every other time only after an acknowledgement, because a busy machine can take long.
      const before = acknowledged(clients)
      if (round % 2 === 1) await vi.waitFor(() => expect(acknowledged(clients)).toBeGreaterThan(before), PATIENCE)
      await sleep(Math.random() * 150)
      await kill(server)
      await Promise.all(clientsDone)
    }
    expect(acknowledged(clients)).toBeGreaterThan(0)
    const last = await start(file)
    for (const client of clients) await expectKept(last, client, share * client.acknowledged.length)
    // A server that was always killed before its first write has no file yet.
    await last.create('last')
    last.child.kill('SIGTERM')
    expect(await last.exit).toBe(0)
    expect(readdirSync(folder)).toEqual(['state.json'])
    expect(readFileSync(file, 'utf8')).toContain('"last"')
  },
)
