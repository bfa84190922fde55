import * as z from 'zod'
import { given, givenShape, optional } from '../shared/fields.js'
import { named } from '../shared/schema.js'

/** A link of a feature to a page about it. */
export const featureLinkSchema = named('featureLinkSchema', {
  id: given(z.string(), z.string().optional()),
  url: z.string(),
  title: optional(z.string().nullable(), null),
})

/** A link as a fixture may give it: only where it leads is needed. */
export const linkFixtureSchema = z.strictObject(givenShape(featureLinkSchema))

/** A link as a client sends it. */
export const linkSchema = named('linkSchema', { url: z.string(), title: z.string().nullable().optional() })

/** A link as events show it. */
export function presentLink({ url, title }: z.infer<typeof linkSchema>) {
  return { url, title }
}
