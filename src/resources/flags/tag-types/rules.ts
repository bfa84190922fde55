import type { TagType } from './schema.js'

/** What can be said of a type of tags; all but its name may be left out. */
type Asked = { name: string } & { [Key in Exclude<keyof TagType, 'name'>]?: TagType[Key] | undefined }

/** A type of tags with what was not said of it filled in. */
export function createTagTypeRecord(asked: Asked): TagType {
  return {
    name: asked.name,
    description: asked.description ?? '',
    icon: asked.icon ?? null,
    color: asked.color ?? null,
  }
}
