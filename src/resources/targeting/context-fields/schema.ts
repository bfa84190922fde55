import * as z from 'zod'
import { nameRule } from '../../shared/checks.js'
import { instantSchema } from '../../shared/schema.js'

export const contextFieldName = nameRule({ shortest: 1, longest: 100 })

export const legalValueSchema = z
  .strictObject({
    /** The value. */
    value: z.string().min(1, 'must not be empty'),
    /** What it means. */
    description: z.string().optional(),
  })
  .meta({ id: 'legalValueSchema' })

/** A context field, as stored. */
export const contextFieldRecordSchema = z.object({
  name: z.string().min(1),
  /** What it is. Default: null. */
  description: z.string().nullable(),
  /** Whether it can decide who gets a variant. Default: false. */
  stickiness: z.boolean(),
  /** Its position in lists. Default: 0. */
  sortOrder: z.int(),
  legalValues: z.array(legalValueSchema),
  createdAt: instantSchema,
  /** The project that it belongs to. Default: null, all. */
  project: z.string().nullable(),
})

export type ContextFieldRecord = z.infer<typeof contextFieldRecordSchema>

/** A context field in an answer. Lists add its usage. */
export const contextFieldSchema = contextFieldRecordSchema
  .extend({
    project: z.string().optional(),
    usedInProjects: z.int().min(0).optional(),
    usedInFeatures: z.int().min(0).optional(),
  })
  .meta({ id: 'contextFieldSchema' })

export const contextFieldsSchema = z.array(contextFieldSchema).meta({ id: 'contextFieldsSchema' })

export const updateContextFieldSchema = z
  .object({
    description: z.string().optional(),
    stickiness: z.boolean().optional(),
    sortOrder: z.int().optional(),
    legalValues: z.array(legalValueSchema).optional(),
  })
  .meta({ id: 'updateContextFieldSchema' })

export type ContextFieldUpdate = z.infer<typeof updateContextFieldSchema>

export const createContextFieldSchema = updateContextFieldSchema
  .extend({ name: contextFieldName.schema, project: z.string().optional() })
  .meta({ id: 'createContextFieldSchema' })
