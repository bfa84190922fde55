import * as z from 'zod'
import { field, given, givenShape, optional } from '../shared/fields.js'
import { strictObject } from '../shared/object.js'
import { named } from '../shared/schema.js'

/** The maximum links of a feature, and so the maximum link templates of a project. */
export const MOST_LINKS = 10

/** A link of a feature to a page about it. */
export const featureLinkSchema = named('featureLinkSchema', () => ({
  id: given(z.string(), z.string().optional(), 'The ID. Default: a new ID.'),
  url: field(z.string(), 'The URL.'),
  title: optional(z.string().nullable(), null, 'The link text.'),
}))

/** A link in a fixture: only its URL is required. */
export const linkFixtureSchema = strictObject(() => givenShape(featureLinkSchema))

/** A link in a request. */
export const linkSchema = named('linkSchema', () => ({ url: z.string(), title: z.string().nullable().optional() }))

/** A link as in events. */
export function presentLink({ url, title }: z.infer<typeof linkSchema>) {
  return { url, title }
}
