import type { Frozen } from '../../../support/freeze.js'
import type { EnvironmentRecord } from './schema.js'

type Environments = readonly Frozen<EnvironmentRecord>[]

/** Environments in the order in which the service shows them. */
export function inOrder(environments: Environments): Environments {
  return environments.toSorted((one, other) => one.sortOrder - other.sortOrder)
}

/** What a feature has in each environment, in the order in which the service shows them. Nearly all are in it already. */
export function byEnvironment<Item extends { readonly name: string }>(
  items: readonly Item[],
  environments: { get(name: string): Frozen<EnvironmentRecord> | undefined },
): readonly Item[] {
  const orderOf = ({ name }: Item) => environments.get(name)?.sortOrder ?? 0
  const isInOrder = items.every((item, i) => orderOf(items[i - 1] ?? item) <= orderOf(item))
  return isInOrder ? items : items.toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** The given names of environments, in the order in which the service shows them. Unknown names are dropped. */
export function environmentsInOrder(names: readonly string[], environments: Environments): string[] {
  return inOrder(environments.filter(({ name }) => names.includes(name))).map(({ name }) => name)
}
