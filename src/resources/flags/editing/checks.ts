import { badData, type Failure } from '../../../contract/errors.js'

/** Fails if an update would rename a feature. */
export function checkNameStays(name: string, sent = name): Failure | undefined {
  return sent === name ? undefined : badData(`The feature "${name}" can't be renamed.`, '/body/name')
}
