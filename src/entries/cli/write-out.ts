import { rename, rm, writeFile } from 'node:fs/promises'
import { createIds } from '../../support/ids.js'
import { describeSystemError, wholeFile } from '../files/json-file.js'
import type { Io } from './io.js'

/** Writes a file in one step: others see either the old one or the new one, complete. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${createIds().uuid()}.tmp`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw wholeFile(file, `can't be written: ${describeSystemError(error)}`, 'Choose another place with --out.')
  }
}

/** Writes a text where `--out` says, or to standard output. */
export async function writeOut(text: string, { out }: { out?: string }, { stdout }: Io): Promise<void> {
  if (out === undefined || out === '-') stdout.write(text)
  else await writeWhole(out, text)
}
