import { constants } from 'node:fs'
import { access, readdir, readlink, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { assertFile, describeSystemError, wholeFile } from '../json-file.js'
import { temporaryPath } from '../replace-file.js'
import { UsageError } from '../usage-error.js'

/** The file behind a path, with links resolved. */
export interface ResolvedFile {
  path: string
  exists: boolean
  mode: number
  /** Undefined for a new file. */
  owner: { uid: number; gid: number } | undefined
}

/** The file contains secrets: of tokens, of logins. */
const PRIVATE = 0o600

/** Throws a `UsageError` for a file that isn't writable. */
export async function resolveFile(file: string): Promise<ResolvedFile> {
  const path = await followLinks(file)
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined) assertFile(file, found)
  await assertWritable(dirname(path))
  if (found === undefined) return { path, exists: false, mode: PRIVATE, owner: undefined }
  // A superuser can write to any file, but a read-only file is meant to stay unchanged.
  const isReadOnly = (found.mode & 0o222) === 0 || !(await canWrite(path))
  if (isReadOnly) {
    throw wholeFile(file, 'is read-only', 'Make it writable, or load it with --fixtures, which leaves it unchanged.')
  }
  return { path, exists: true, mode: found.mode & 0o777, owner: { uid: found.uid, gid: found.gid } }
}

/** The target of a path, even if it doesn't exist: a link can point to a future file. */
async function followLinks(file: string): Promise<string> {
  const path = resolve(file)
  const found = await realpath(path).catch((error: NodeJS.ErrnoException) => error)
  if (typeof found === 'string') return found
  if (found.code === 'ELOOP') throw wholeFile(file, 'is a link that leads to itself', 'Pass the path of a file.')
  const link = await readlink(path).catch(() => undefined)
  if (link !== undefined) return followLinks(resolve(dirname(path), link))
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path))
}

/** Removes the temporary files of killed processes. The file must be locked. */
export async function sweepTemporaryFiles(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const [, pid] = /\.(\d+)\.tmp$/.exec(name) ?? []
    const found = join(dirname(path), name)
    if (pid !== undefined && found === temporaryPath(path, pid)) await rm(found, { force: true })
  }
}

async function assertWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    const reason = describeSystemError(error).replace('file', 'folder')
    throw new UsageError(
      `The state can't be saved in ${folder}: ${reason}.`,
      'Choose a state file in a writable folder.',
    )
  }
}

function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}
