import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'

/** A name that SDKs report and no feature has. */
export const unknownFlagSchema = z
  .object({
    name: z.string(),
    reports: z.array(
      z.object({
        appName: z.string(),
        environments: z.array(z.object({ environment: z.string(), seenAt: instantSchema })),
      }),
    ),
  })
  .meta({ id: 'unknownFlagRecordSchema' })

export type UnknownFlag = z.infer<typeof unknownFlagSchema>

export const unknownFlagsSchema = z
  .object({
    unknownFlags: z.array(
      unknownFlagSchema.extend({ lastSeenAt: instantSchema, lastEventAt: instantSchema.nullable() }),
    ),
  })
  .meta({ id: 'unknownFlagsResponseSchema' })
