import { fstatSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { headerLine } from '../../../engine/persistence/format.js'
import { type ResolvedFile, temporaryPath } from './resolved-file.js'

export class OpenFile {
  readonly #handle: FileHandle
  #path: string
  /** Bytes that were written, or found. */
  size: number

  /** Opens a file to append to it. What follows its first bytes is cut off. */
  static async append({ path }: ResolvedFile, size: number): Promise<OpenFile> {
    const handle = await open(path, 'a')
    const file = new OpenFile(handle, path, size)
    if (fstatSync(handle.fd).size > size) await handle.truncate(size)
    return file
  }

  /** Creates a temporary file that can take the file's place. */
  static async replacement(resolved: ResolvedFile): Promise<OpenFile> {
    const path = temporaryPath(resolved.path)
    await rm(path, { force: true })
    const handle = await open(path, 'ax', resolved.mode)
    const file = new OpenFile(handle, path, 0)
    try {
      await handle.chmod(resolved.mode)
      // Only a superuser can keep another owner, and needs to.
      if (resolved.owner !== undefined)
        await handle.chown(resolved.owner.uid, resolved.owner.gid).catch(() => undefined)
      await file.write(headerLine())
      return file
    } catch (error) {
      await file.discard()
      throw error
    }
  }

  private constructor(handle: FileHandle, path: string, size: number) {
    this.#handle = handle
    this.#path = path
    this.size = size
  }

  async write(text: string): Promise<void> {
    await this.#handle.appendFile(text)
    this.size += Buffer.byteLength(text)
  }

  /** Resolves when everything is on disk. */
  sync(): Promise<void> {
    return this.#handle.datasync()
  }

  /** Takes the file's place in one step: others see either the old file or this one, complete. */
  async takePlace({ path }: ResolvedFile): Promise<void> {
    await this.#handle.sync()
    await rename(this.#path, path)
    this.#path = path
    await syncFolder(dirname(path))
  }

  /** Whether nobody else has written to it or cut it. It takes microseconds: the handle is open. */
  get isOurs(): boolean {
    return fstatSync(this.#handle.fd).size === this.size
  }

  /** Whether its path still leads to it: somebody may have deleted or replaced it. */
  async isInPlace(): Promise<boolean> {
    const [own, found] = await Promise.all([
      this.#handle.stat({ bigint: true }),
      stat(this.#path, { bigint: true }).catch(() => undefined),
    ])
    return found?.ino === own.ino && found.dev === own.dev
  }

  async close(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
  }

  /** Closes and deletes it. */
  async discard(): Promise<void> {
    await this.close()
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}

/** Makes a rename durable, where the system lets folders be synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
