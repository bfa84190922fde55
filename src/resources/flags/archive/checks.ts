import type { Failure } from '../../../contract/errors.js'
import type { Tables } from '../../shared/context.js'
import { activeChildren } from '../dependencies/lookup.js'

/** Fails if an active feature that isn't one of these depends on one of them. */
export function checkNoChildrenStay(tables: Tables, leaving: readonly string[]): Failure | undefined {
  for (const parent of leaving) {
    const children = activeChildren(tables, parent, leaving)
    if (children.length > 0) {
      const names = children.map((name) => `"${name}"`).join(', ')
      const message = `The feature "${parent}" can't be archived or deleted while other features depend on it: ${names}.`
      return { kind: 'invalidOperation', message }
    }
  }
  return undefined
}
