import { join } from 'node:path'
import { afterAll, beforeEach, describe } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/engine/mock/mock.js'
import { CORE } from '../../src/engine/mock/session.js'
import { adopt, documentText, readDocument } from '../../src/engine/persistence/document.js'
import { scratchFolder, startCli } from './cli.js'
import { clientOf, type StateClient, stop } from './state-server.js'

/** The options of a start, as JSON. */
export type StartOptions = Pick<MockOptions, 'seed' | 'now'> & {
  scenarios?: readonly { name: string; title: string; promise: string; extends?: string }[]
  fixtures?: object
}

/** A place that keeps the state of a mock while nothing runs. */
export interface Place {
  /** Starts the mock, after it has stopped the running one. */
  start(options: StartOptions): Promise<void>
  fetch(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response>
  /** The messages since the last start; undefined where tests can't read them. */
  messages(): string | undefined
}

interface KindOfHome {
  /** Whether clocks, rules and the sequence of IDs are also kept. */
  keepsSettings: boolean
  /** Whether a session has its own mock, without the other sessions. */
  isOfOneSession?: boolean
  open(): Promise<Place>
  close?(): Promise<void>
}

const inNode: Record<string, KindOfHome> = {
  'a document in memory': { keepsSettings: true, open: async () => openMemory() },
  'a state file': { keepsSettings: false, open: async () => openStateFile() },
}

/** Where `npm test` can't be: the projects `browser` and `workers` name their home. */
const elsewhere: Record<string, () => Promise<KindOfHome>> = {
  'the storage of a page': async () => {
    const { openPages } = await import('./pages.js')
    const pages = await openPages()
    return { keepsSettings: true, open: () => pages.openPlace(), close: () => pages[Symbol.asyncDispose]() }
  },
  'a Durable Object': async () => {
    const { openStorage } = await import('./workers.js')
    return { keepsSettings: true, isOfOneSession: true, open: openStorage }
  },
}

/** A mock whose state is kept. */
export interface Home
  extends StateClient,
    Pick<KindOfHome, 'keepsSettings' | 'isOfOneSession'>,
    Pick<Place, 'messages'> {
  /** Stops the mock, and starts it with these options, by default those of the last start. */
  restart(options?: StartOptions): Promise<void>
}

/** Runs a suite in every home that this project can reach. Each test has a new home, with a mock without options. */
export function onEveryHome(name: string, suite: (home: Home) => void): void {
  const wanted = process.env.FLAGDOUBLE_HOME
  const kinds = wanted === undefined ? Object.keys(inNode) : [wanted]
  describe.each(kinds)(`${name}, in %s`, (kind) => {
    const home = {} as Home
    let opened: KindOfHome | undefined
    beforeEach(async () => {
      opened ??= inNode[kind] ?? (await elsewhere[kind]?.())
      if (opened === undefined) throw new Error(`No home ${kind}`)
      const place = await opened.open()
      let last: StartOptions = {}
      const restart = async (options = last) => {
        last = options
        await place.start(options)
      }
      await restart()
      Object.assign(home, clientOf(place.fetch), {
        restart,
        messages: place.messages,
        keepsSettings: opened.keepsSettings,
        isOfOneSession: opened.isOfOneSession,
      })
    })
    afterAll(() => opened?.close?.())
    suite(home)
  })
}

function openMemory(): Place {
  let mock: Mock | undefined
  let messages: string[] = []
  return {
    async start(options) {
      const text = mock && [...documentText(mock[CORE], { withSettings: true })].join('')
      mock = createMock(options as MockOptions)
      if (text !== undefined) adopt(readDocument(JSON.parse(text)), mock[CORE])
      messages = mock[CORE].notices()
    },
    fetch: async (path, init) => {
      if (mock === undefined) throw new Error('It has not started.')
      return mock.fetch(new Request(`http://localhost${path}`, init))
    },
    messages: () => messages.join('\n'),
  }
}

function openStateFile(): Place {
  const file = join(scratchFolder().path, 'state.json')
  let running: Awaited<ReturnType<typeof startCli>> | undefined
  return {
    async start({ seed, now, scenarios = [], fixtures }) {
      if (running !== undefined) await stop(running)
      const folder = scratchFolder()
      for (const scenario of scenarios) folder.put(`${scenario.name}.json`, scenario)
      running = await startCli([
        ...['--state', file],
        ...(seed === undefined ? [] : ['--seed', String(seed)]),
        ...(now === undefined ? [] : ['--now', String(now)]),
        ...(scenarios.length === 0 ? [] : ['--scenarios', folder.path]),
        ...(fixtures === undefined ? [] : ['--fixtures', scratchFolder().put('fixture.json', fixtures)]),
      ])
    },
    fetch: (path, init) => fetch(`${running?.at}${path}`, init),
    messages: () => running?.stderr() ?? '',
  }
}
