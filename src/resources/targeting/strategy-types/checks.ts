import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { StrategyType } from './schema.js'

/** The type that every SDK knows. */
const DEFAULT = 'default'

/** Fails if a strategy type is built in. */
export function checkEditable({ name, editable }: Frozen<StrategyType>): Failure | undefined {
  if (editable) return undefined
  const message = `The strategy type "${name}" is built in, so it can't be changed or deleted.`
  return { kind: 'invalidOperation', message }
}

/** Fails if a strategy type can't be deprecated or reactivated. */
export function checkDeprecatable(name: string): Failure | undefined {
  if (name !== DEFAULT) return undefined
  return { kind: 'invalidOperation', message: `The strategy type "${name}" can't be deprecated.` }
}
