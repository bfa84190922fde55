import { describeSystemError, wholeFile } from '../files/json-file.js'
import { replaceFile } from '../files/replace-file.js'
import type { Io } from './io.js'

/** Writes a text where `--out` says, or to standard output. A file may hold secrets, so only its owner can read it. */
export async function writeOut(text: string, { out }: { out?: string }, { stdout }: Io): Promise<void> {
  if (out === undefined || out === '-') stdout.write(text)
  else
    await replaceFile(out, [text], { mode: 0o600 }).catch((error: unknown) => {
      throw wholeFile(out, `can't be written: ${describeSystemError(error)}`, 'Choose another place with --out.')
    })
}
