import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { type FeatureEvent, saveFeature } from '../features/actions.js'
import { findFeature } from '../features/lookup.js'
import type { FeatureRecord } from '../features/schema.js'
import { insertTag } from '../tags/actions.js'
import { checkTagTypes } from '../tags/checks.js'
import { hasTag } from '../tags/lookup.js'
import { changeTags, tagKey } from '../tags/rules.js'
import type { Tag } from '../tags/schema.js'

interface TagChange {
  added?: readonly Tag[]
  removed?: readonly Tag[]
}

/** Changes the tags of a feature, creates the added ones that don't exist yet, and logs every change. */
export function changeTagsOfFeature(
  context: OperationContext,
  featureName: string,
  { added = [], removed = [] }: TagChange,
): Result<Frozen<FeatureRecord>, Failure> {
  const { tables } = context
  const feature = findFeature(tables, featureName)
  if (!feature.ok) return feature
  const failure = checkTagTypes(tables, added)
  if (failure) return fail(failure)
  for (const { type, value } of added) {
    if (!hasTag(tables, { type, value })) insertTag(context, { type, value })
  }

  const { tags: before } = feature.value
  const tags = changeTags(before, { added, removed })
  const events: FeatureEvent[] = [
    ...tags.filter((one) => !includes(before, one)).map((data) => ({ type: 'feature-tagged', data })),
    ...before
      .filter((one) => !includes(tags, one))
      .map((preData) => ({ type: 'feature-untagged', data: null, preData })),
  ]
  return ok(saveFeature(context, { ...feature.value, tags }, events, { asGroup: false }))
}

function includes(tags: readonly Frozen<Tag>[], wanted: Frozen<Tag>): boolean {
  return tags.some((one) => tagKey(one) === tagKey(wanted))
}
