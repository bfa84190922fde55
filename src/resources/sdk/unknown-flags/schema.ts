import * as z from 'zod'
import { instantSchema } from '../../shared/schema.js'

/** A name that SDKs report and no feature has. */
export const unknownFlagSchema = z
  .object({
    /** The name. */
    name: z.string(),
    /** Which applications reported it. */
    reports: z.array(
      z.object({
        /** The name of the application. */
        appName: z.string(),
        /** Where and when it reported it. */
        environments: z.array(
          z.object({
            /** The name of the environment. */
            environment: z.string(),
            /** When it was last reported, in UTC with milliseconds. */
            seenAt: instantSchema,
          }),
        ),
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
