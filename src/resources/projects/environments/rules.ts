import type { Frozen } from '../../../support/freeze.js'
import type { EnvironmentRecord } from './schema.js'

type Environments = readonly Frozen<EnvironmentRecord>[]

/** Environments in the order in which the service shows them. */
export function inOrder(environments: Environments): Environments {
  return environments.toSorted((one, other) => one.sortOrder - other.sortOrder)
}

/** The given names of environments, in the order in which the service shows them. Unknown names are dropped. */
export function environmentsInOrder(names: readonly string[], environments: Environments): string[] {
  return inOrder(environments.filter(({ name }) => names.includes(name))).map(({ name }) => name)
}
