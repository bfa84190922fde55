import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { reasonOf } from '../../support/errors.js'
import type { Certificate } from '../adapters/node.js'
import { describeSystemError } from '../files/json-file.js'
import { UsageError } from '../files/usage-error.js'
import type { StartFlags } from './flags.js'

/** The options for HTTPS. Undefined for plain HTTP. */
export async function readCertificate({
  cert,
  certKey,
}: Pick<StartFlags, 'cert' | 'certKey'>): Promise<Certificate | undefined> {
  if (cert === undefined && certKey === undefined) return undefined
  if (cert === undefined || certKey === undefined) {
    throw new UsageError('A certificate needs its key.', 'Pass both: --cert FILE --cert-key FILE.')
  }
  const own = { cert: await read(cert, '--cert'), key: await read(certKey, '--cert-key') }
  try {
    createSecureContext(own)
  } catch (error) {
    const reason = reasonOf(error)
    throw new UsageError(
      `${cert} and ${certKey} are not a certificate and its key: ${reason}.`,
      'Both must be PEM files that belong together; the key must not have a passphrase.',
    )
  }
  return own
}

async function read(file: string, flag: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file}: ${describeSystemError(error)}.`, `${flag} takes a PEM file.`)
  })
  // Node accepts an empty file, and then no client can connect.
  if (content.trim() === '') throw new UsageError(`${file}: is empty.`, `${flag} takes a PEM file.`)
  return content
}
