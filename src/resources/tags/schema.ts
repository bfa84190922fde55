import * as z from 'zod'

/** A tag: a value under a type of tags. */
export const tagSchema = z.object({ type: z.string(), value: z.string() }).meta({ id: 'tagSchema' })

export type Tag = z.infer<typeof tagSchema>
