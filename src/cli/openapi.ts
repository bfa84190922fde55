import { operationsDocument } from '../api/openapi.js'
import { version } from '../version.js'
import type { Io } from './io.js'

/** `flagdouble openapi`: prints the OpenAPI document of the modelled operations. */
export async function openapi({ stdout }: Io): Promise<number> {
  stdout.write(`${JSON.stringify(await operationsDocument(version), undefined, 2)}\n`)
  return 0
}
