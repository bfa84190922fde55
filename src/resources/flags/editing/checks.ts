import { badData, type Failure } from '../../../contract/errors.js'

/** Fails if an update would rename a feature. */
export function checkNameStays(name: string, sent = name): Failure | undefined {
  return sent === name ? undefined : badData(`The feature "${name}" can't be renamed.`, '/body/name')
}

/** Fails if a patch of a feature would change its variants, which have operations of their own. */
export function checkNoVariants(patches: readonly { path: string }[]): Failure | undefined {
  if (!patches.some(({ path }) => path.startsWith('/variants'))) return undefined
  return {
    kind: 'operationDenied',
    message:
      'The variants of a feature are not changed here but on the path of the feature that ends with "/variants".',
  }
}
