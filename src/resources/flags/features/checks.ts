import type { Failure } from '../../../contract/errors.js'
import type { Tables } from '../../shared/context.js'

/** Fails if a name is taken by a feature of any project, active or archived. */
export function checkNameIsFree(tables: Tables, name: string): Failure | undefined {
  const holder = tables.features.get(name)
  if (holder === undefined) return undefined
  const what = holder.archived ? 'An archived feature' : 'A feature'
  return { kind: 'nameExists', message: `${what} named "${name}" already exists.` }
}
