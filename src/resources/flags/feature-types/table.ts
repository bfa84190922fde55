import * as z from 'zod'
import { defineTable } from '../../shared/table.js'
import { featureTypeSchema } from './schema.js'

export const featureTypeTable = defineTable({
  record: featureTypeSchema,
  keyName: 'a type of features',
  key: ({ id }) => id,
  indexes: {},
  fixture: z.strictObject({
    ...featureTypeSchema.partial().shape,
    /** Its id, such as `release`. */
    id: z.string().min(1),
  }),
  complete: (given) => ({
    id: given.id,
    name: given.name ?? given.id,
    description: given.description ?? '',
    lifetimeDays: given.lifetimeDays ?? null,
  }),
})
