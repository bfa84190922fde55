import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

interface Replacement {
  mode?: number | undefined
  owner?: { uid: number; gid: number } | undefined
  /** Whether to sync it to disk before this resolves. */
  sync?: boolean
  /** Whether an existing file is an error (`EEXIST`). */
  isNew?: boolean
}

/** Writes a temporary file and renames it in one step: other processes see the old or the new file, complete. */
export async function replaceFile(path: string, pieces: Iterable<string>, options: Replacement = {}): Promise<void> {
  const { mode = 0o666, owner, sync = false, isNew = false } = options
  const draft = temporaryPath(path)
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', mode)
  try {
    if (owner !== undefined) {
      await handle.chmod(mode)
      // Only a superuser can preserve another owner, and needs to.
      await handle.chown(owner.uid, owner.gid).catch(() => undefined)
    }
    await write(handle, pieces, sync)
    if (isNew) await link(draft, path)
    else await rename(draft, path)
  } finally {
    await rm(draft, { force: true }).catch(() => undefined)
  }
  if (sync) await syncFolder(dirname(path))
}

export function temporaryPath(path: string, pid: number | string = process.pid): string {
  return join(dirname(path), `.${basename(path)}.${pid}.tmp`)
}

async function write(handle: FileHandle, pieces: Iterable<string>, sync: boolean): Promise<void> {
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
