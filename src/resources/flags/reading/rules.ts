import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../features/schema.js'
import { tagKey } from '../tags/rules.js'
import type { ListQuery } from './schema.js'

/** Whether a feature's name starts with the prefix, and whether it has one of the tags (`simple:one`). */
export function matchesListQuery({ name, tags }: Frozen<FeatureRecord>, { namePrefix = '', tag }: ListQuery): boolean {
  const wanted = tag === undefined ? undefined : [tag].flat()
  const hasTag = wanted === undefined || tags.some((one) => wanted.includes(tagKey(one)))
  return hasTag && name.startsWith(namePrefix)
}
