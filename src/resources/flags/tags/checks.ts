import { badData, type Failure } from '../../../contract/errors.js'
import type { Tables } from '../../shared/context.js'
import { hasTag } from './lookup.js'
import type { Tag } from './schema.js'

/** Fails if the type of a tag doesn't exist. */
export function checkTagTypes(tables: Tables, tags: readonly Tag[]): Failure | undefined {
  const unknown = tags.find(({ type }) => !tables.tagTypes.has(type))
  return unknown && badData(`There is no tag type "${unknown.type}".`, '/body/type')
}

/** Fails if a tag doesn't exist. */
export function checkTagsExist(tables: Tables, tags: readonly Tag[]): Failure | undefined {
  const unknown = tags.find((tag) => !hasTag(tables, tag))
  return (
    unknown &&
    badData(`There is no tag "${unknown.value}" of the type "${unknown.type}". Create it first.`, '/body/tags')
  )
}
