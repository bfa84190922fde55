import type { MockCore } from '../../../engine/mock/core.js'
import { adopt, documentText, readDocument } from '../../../engine/persistence/document.js'
import { DocumentWriter } from '../../../engine/persistence/writer.js'
import { realTime, within } from '../../../support/clock.js'
import { reasonOf } from '../../../support/errors.js'
import { createIds } from '../../../support/ids.js'
import { readStored, writeStored } from './page-storage.js'

/** The number of closed frames whose documents are kept, newest first. */
export const FRAMES_KEPT = 20

/** The milliseconds that a page waits for storage, and for the previous page in the frame to close. */
const PATIENCE = 1000

const STORE = 'documents'

/** The saving of a page, until it is stopped. */
export interface PageKeeping {
  stop(): void
}

/**
 * Resumes the saved state of this frame of the tab, and saves later changes, as one document in IndexedDB. It sets
 * unreadable state aside, and skips state that can't be stored, each with a line in the console.
 */
export async function keepInFrame(core: MockCore): Promise<PageKeeping | undefined> {
  try {
    const storage = new PageStorage()
    const isThere = await within(PATIENCE, storage.isThere())
    if (isThere === undefined) throw new Error('the storage of this browser does not respond')
    const { frame, release } = await ownFrame()
    await load(core, storage, frame)
    const writer = writerFor(core, storage, frame)
    core.persistWith(writer)
    await dropOldFrames(storage, frame)
    // Rules count requests without a change, so a last write is always needed.
    const leave = () => void save(core, storage, frame).catch(() => undefined)
    addEventListener('pagehide', leave)
    const stop = () => {
      leave()
      removeEventListener('pagehide', leave)
      void writer.close()
      release()
    }
    return { stop }
  } catch (error) {
    warn(`Changes in this page can't be stored: ${reasonOf(error)}.`)
    return undefined
  }
}

async function load(core: MockCore, storage: PageStorage, frame: string): Promise<void> {
  const text = await storage.get(frame)
  if (text === undefined) return
  try {
    const kept = readDocument(JSON.parse(text))
    for (const notice of kept.notices) warn(notice)
    adopt(kept, core)
  } catch (error) {
    await storage.put(`${frame} unreadable`, text)
    await storage.remove(frame)
    warn(
      `The stored changes of this page can't be read, so it starts over: ${reasonOf(error)}. A copy of them stays in IndexedDB.`,
    )
  }
}

function writerFor(core: MockCore, storage: PageStorage, frame: string): DocumentWriter {
  return new DocumentWriter({
    keepsDataOnSwitch: false,
    sync: false,
    warn,
    write: () => save(core, storage, frame),
    failed: (error) => `Changes in this page can't be stored at the moment: ${reasonOf(error)}.`,
    recovered: 'Changes in this page are stored again.',
  })
}

async function save(core: MockCore, storage: PageStorage, frame: string): Promise<void> {
  await storage.put(frame, [...documentText(core, { withSettings: true })].join(''))
}

/** Texts in IndexedDB. The next write reopens a database that was closed, such as by clearing the site's data. */
class PageStorage {
  #database: IDBDatabase | undefined

  async isThere(): Promise<true> {
    await this.#open()
    return true
  }

  get(key: string): Promise<string | undefined> {
    return this.#run('readonly', (store) => store.get(key))
  }

  keys(): Promise<IDBValidKey[]> {
    return this.#run('readonly', (store) => store.getAllKeys())
  }

  async put(key: string, text: string): Promise<void> {
    await this.#run('readwrite', (store) => store.put(text, key))
  }

  async remove(key: string): Promise<void> {
    await this.#run('readwrite', (store) => store.delete(key))
  }

  /** Without a pause if the database is open: a page that the user leaves has no time for a pause. */
  #run<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
    const run = (database: IDBDatabase) =>
      new Promise<Result>((resolve, reject) => {
        const transaction = database.transaction(STORE, mode)
        const request = act(transaction.objectStore(STORE))
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
        transaction.commit()
      }).catch((error: unknown) => {
        this.#database?.close()
        this.#database = undefined
        throw error
      })
    return this.#database === undefined ? this.#open().then(run) : run(this.#database)
  }

  #open(): Promise<IDBDatabase> {
    const request = indexedDB.open('flagdouble', 2)
    request.onupgradeneeded = () => {
      for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name)
      request.result.createObjectStore(STORE)
    }
    return new Promise((resolve, reject) => {
      request.onsuccess = () => {
        this.#database = request.result
        resolve(request.result)
      }
      request.onerror = () => reject(request.error)
    })
  }
}

/** Frames of a tab share its storage, so each has its own key: its path from the top. */
function keyOfFrame(): string {
  const way: number[] = []
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
    way.unshift(Array.from({ length: frame.parent.length }, (_, at) => frame.parent[at]).indexOf(frame))
  }
  return ['flagdouble:tab', ...way].join('.')
}

interface Frame {
  frame: string
  /** Releases the frame for another page. */
  release: () => void
}

/** The name of this frame, which identifies its document. Names sort by age. */
async function ownFrame(): Promise<Frame> {
  const key = keyOfFrame()
  const known = readStored(key)
  const release = known === undefined ? undefined : await lock(known)
  if (known !== undefined && release !== undefined) return { frame: known, release }
  const frame = createIds().ulid(realTime())
  writeStored(key, frame)
  return { frame, release: (await lock(frame)) ?? (() => undefined) }
}

/** Claims a frame for this page. Undefined if another page has it: a duplicated tab copies the storage of the original. */
function lock(frame: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const held = () => new Promise<void>((release) => resolve(release))
    navigator.locks
      .request(lockOf(frame), { signal: AbortSignal.timeout(PATIENCE) }, held)
      .catch(() => resolve(undefined))
  })
}

function lockOf(frame: string): string {
  return `flagdouble:${frame}`
}

async function dropOldFrames(storage: PageStorage, own: string): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  const open = held.map(({ name }) => name)
  const closed = (await storage.keys()).map(String).filter((key) => key !== own && !open.includes(lockOf(key)))
  for (const frame of closed.toSorted().slice(0, -FRAMES_KEPT)) await storage.remove(frame)
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: users look at the console
  console.warn(`[flagdouble] ${message}`)
}
