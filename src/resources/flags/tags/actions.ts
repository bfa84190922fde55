import type { Frozen } from '../../../support/freeze.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { allTags } from './lookup.js'
import { changeTags, tagKey } from './rules.js'
import type { Tag } from './schema.js'

export function insertTag(context: OperationContext, tag: Tag): void {
  context.tables.tags.insert(tag)
  logEvent(context, { type: 'tag-created', data: tag })
}

/** Removes the matching tags, from features too. */
export function removeTags(tables: Tables, matches: (tag: Frozen<Tag>) => boolean): void {
  for (const removed of allTags(tables).filter(matches)) {
    for (const feature of tables.features.by('tag', tagKey(removed))) {
      tables.features.replace({ ...feature, tags: changeTags(feature.tags, { removed: [removed] }) })
    }
    tables.tags.remove(tagKey(removed))
  }
}
