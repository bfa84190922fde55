import * as z from 'zod'
import { nameRule } from '../shared/checks.js'
import { optional } from '../shared/fields.js'
import { defineTable } from '../shared/table.js'

/** The type that every instance of the service starts with. */
export const SIMPLE = 'simple'

export const tagTypeName = nameRule({ shortest: 2, longest: 50 })

const colorSchema = z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as "#FF0000"')

export const tagTypeSchema = z
  .object({
    /** Its name. */
    name: z.string().min(1),
    /** What it is for. */
    description: optional(z.string(), ''),
    /** An icon. */
    icon: optional(z.string().nullable(), null),
    /** A colour such as `#FF0000`. */
    color: optional(colorSchema.nullable(), null),
  })
  .meta({ id: 'tagTypeSchema' })

export type TagType = z.infer<typeof tagTypeSchema>

export const createTagTypeSchema = z
  .strictObject({ ...tagTypeSchema.partial().shape, name: tagTypeName.schema })
  .meta({ id: 'createTagTypeSchema' })

export const updateTagTypeSchema = z
  .object({ description: z.string().optional(), icon: z.string().optional(), color: colorSchema.optional() })
  .meta({ id: 'updateTagTypeSchema' })

export const tagTypesSchema = z
  .object({ version: z.literal(1), tagTypes: z.array(tagTypeSchema) })
  .meta({ id: 'tagTypesSchema' })

export const tagTypeWithVersionSchema = z
  .object({ version: z.literal(1), tagType: tagTypeSchema })
  .meta({ id: 'tagTypeWithVersionSchema' })

export const validateTagTypeSchema = z
  .object({ valid: z.boolean(), tagType: tagTypeSchema })
  .meta({ id: 'validateTagTypeSchema' })

export const tagTypeTable = defineTable({
  record: tagTypeSchema,
  keyName: 'a type of tags',
  key: ({ name }) => name,
})
