import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../features/schema.js'

type Stored = Frozen<FeatureRecord>

/** The names of the features that can be a feature's parent: those without parents of their own. */
export function parentOptions(child: Stored, others: readonly Stored[]): string[] {
  return others
    .filter(({ name, dependencies }) => name !== child.name && dependencies.length === 0)
    .map(({ name }) => name)
    .toSorted()
}

/** The names of the variants of a feature's strategies and environments. */
export function variantNames({ environments }: Stored): string[] {
  const variants = environments.flatMap((environment) => [
    ...environment.variants,
    ...environment.strategies.flatMap((strategy) => strategy.variants),
  ])
  return [...new Set(variants.map(({ name }) => name))].toSorted()
}
