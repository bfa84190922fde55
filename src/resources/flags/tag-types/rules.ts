import type { TagType } from './schema.js'

/** What can be set on a tag type. Only the name is required. */
type TagTypeInput = { name: string } & { [Key in Exclude<keyof TagType, 'name'>]?: TagType[Key] | undefined }

/** A tag type, with defaults for omitted fields. */
export function createTagTypeRecord(input: TagTypeInput): TagType {
  return {
    name: input.name,
    description: input.description ?? '',
    icon: input.icon ?? null,
    color: input.color ?? null,
  }
}
