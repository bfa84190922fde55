import { copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCode } from '../../support/errors.js'

type Pieces = Iterable<string | Uint8Array>

interface ReplaceOptions {
  mode?: number | undefined
  owner?: { uid: number; gid: number } | undefined
  /** Whether to sync it to disk before this resolves. */
  sync?: boolean
  /** Whether an existing file is an error (`EEXIST`). */
  isNew?: boolean
}

/**
 * Writes a temporary file and renames it in one step: other processes see the old or the new file, complete. A file that
 * is mounted by itself can't be replaced, so it is overwritten.
 */
export async function replaceFile(path: string, pieces: Pieces, options: ReplaceOptions = {}): Promise<void> {
  const { mode = 0o666, owner, sync = false, isNew = false } = options
  const draft = temporaryPath(path)
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', mode)
  let isOnlyCopy = false
  try {
    if (owner !== undefined) {
      await handle.chmod(mode)
      // Only a superuser can preserve another owner, and needs to.
      await handle.chown(owner.uid, owner.gid).catch(() => undefined)
    }
    await write(handle, pieces, sync)
    if (isNew) await link(draft, path)
    else {
      await rename(draft, path).catch(async (error: unknown) => {
        if (systemCode(error) !== 'EBUSY') throw error
        isOnlyCopy = true
        await overwrite(path, draft, sync)
        isOnlyCopy = false
      })
    }
  } finally {
    if (!isOnlyCopy) await rm(draft, { force: true }).catch(() => undefined)
  }
  if (sync) await syncFolder(dirname(path))
}

async function overwrite(path: string, draft: string, sync: boolean): Promise<void> {
  await copyFile(draft, path)
  if (!sync) return
  const handle = await open(path, 'r+')
  await handle.datasync().finally(() => handle.close())
}

export function temporaryPath(path: string, pid: number | string = process.pid): string {
  return join(dirname(path), `.${basename(path)}.${pid}.tmp`)
}

async function write(handle: FileHandle, pieces: Pieces, sync: boolean): Promise<void> {
  try {
    for (const piece of pieces) await handle.appendFile(piece)
    if (sync) await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Makes a rename durable, if the system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
