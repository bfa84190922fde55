import * as z from 'zod'
import type { Frozen } from '../../support/freeze.js'

/** A link of a feature to a page about it. */
export const featureLinkSchema = z
  .object({
    /** Its id. Default: a new one. */
    id: z.string(),
    /** Where it leads. */
    url: z.string(),
    /** Its text. Default: null. */
    title: z.string().nullable(),
  })
  .meta({ id: 'featureLinkSchema' })

export type FeatureLink = z.infer<typeof featureLinkSchema>

/** A link as a client sends it. */
export const linkSchema = z
  .object({ url: z.string(), title: z.string().nullable().optional() })
  .meta({ id: 'linkSchema' })

/** A link as events show it. */
export function presentLink({ url, title }: Frozen<FeatureLink>) {
  return { url, title }
}
