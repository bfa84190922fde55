import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { valueAt } from '../../../support/json.js'
import { field, instant, optional } from '../shared/fields.js'
import { idSchema, named, versioned } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

/** The ID of the user that events name if no user is signed in. The username depends on the profile. */
export const SYSTEM_USER = -1337

/** One entry of Unleash's event log, as stored and returned. */
export const eventSchema = named('eventSchema', {
  id: field(idSchema.min(1), 'The ID; later events have higher IDs.'),
  type: field(z.string(), 'The event type, such as `feature-created`.'),
  createdBy: optional(z.string(), 'system', 'The name of the user.'),
  createdAt: instant('now', 'The time.'),
  createdByUserId: optional(z.int(), SYSTEM_USER, 'The ID of the user.'),
  data: optional(z.unknown(), null, 'The data after the change.'),
  preData: optional(z.unknown(), null, 'The data before the change.'),
  tags: optional(
    z.array(
      z.object({
        type: field(z.string(), 'The type of the tag, such as `simple`.'),
        value: field(z.string(), 'The value of the tag.'),
        color: field(z.string().nullable().optional(), 'The colour of the tag.'),
      }),
    ),
    [],
    'The tags of the feature.',
  ),
  featureName: optional(z.string().nullable(), null, 'The name of the feature.'),
  project: optional(z.string().nullable(), null, 'The ID of the project.'),
  environment: optional(z.string().nullable(), null, 'The name of the environment.'),
  groupType: field(z.string().optional(), 'The kind of change that it belongs to.'),
  groupId: field(z.string().optional(), 'The ID of the change that it belongs to.'),
})

export type ServiceEvent = z.infer<typeof eventSchema>

export type StoredEvent = Frozen<ServiceEvent>

export const eventsSchema = versioned('eventsSchema', { events: z.array(eventSchema), totalEvents: z.int() })

export const featureEventsSchema = versioned('featureEventsSchema', {
  toggleName: z.string(),
  events: z.array(eventSchema),
  totalEvents: z.int(),
})

export const eventCreatorsSchema = z
  .array(z.object({ id: z.int(), name: z.string() }))
  .meta({ id: 'eventCreatorsSchema' })

/** The user that represents admin API tokens. */
export const apiTokenUser = {
  id: -42,
  name: 'Unleash Admin Token',
  username: 'unleash_admin_token',
  email: null,
} as const

/** The name of the system's own user. */
export const SYSTEM_NAME = 'Unleash System'

const table = defineTable({
  meaning: 'The event log, oldest first.',
  record: eventSchema,
  keyName: 'the id of an event',
  key: ({ id }) => id,
  // Copies the data, so that nobody else can change it.
  own: ({ data = null, preData = null }) => ({ data: structuredClone(data), preData: structuredClone(preData) }),
})

export const eventTable = { ...table, log: true } as const

/** The words for a type of event: a label, and a sentence without its subject, the user. */
interface Wording {
  label: string
  says(event: StoredEvent, links: Links): string
}

/** Links into the user interface. */
interface Links {
  flag: string
  project: string
}

const toFlag =
  (verb: string) =>
  (_: StoredEvent, { flag, project }: Links) =>
    `${verb} ${flag} in project ${project}`

const toFlagIn =
  (verb: string) =>
  (event: StoredEvent, { flag, project }: Links) =>
    `${verb} ${flag} for the **${event.environment}** environment in project ${project}`

const toStrategy = (verb: string, preposition: string) => (event: StoredEvent, links: Links) =>
  toFlagIn(`${verb} strategy **${strategyOf(event)}** ${preposition}`)(event, links)

/** The event types with their own wording. */
const wordings: Readonly<Record<string, Wording>> = {
  'feature-created': { label: 'Flag created', says: toFlag('created') },
  'feature-updated': { label: 'Flag updated', says: toFlag('updated') },
  'feature-metadata-updated': { label: 'Flag updated', says: toFlag('updated') },
  'feature-archived': { label: 'Flag archived', says: toFlag('archived') },
  'feature-revived': { label: 'Flag revived', says: toFlag('revived') },
  'feature-deleted': { label: 'Flag deleted', says: toFlag('deleted') },
  'feature-stale-on': { label: 'Flag marked as stale', says: toFlag('marked as stale:') },
  'feature-stale-off': { label: 'Flag no longer stale', says: toFlag('removed the stale mark from') },
  'feature-completed': { label: 'Flag completed', says: toFlag('completed') },
  'feature-tagged': { label: 'Flag tagged', says: toFlag('tagged') },
  'feature-untagged': { label: 'Flag untagged', says: toFlag('untagged') },
  'feature-environment-enabled': { label: 'Flag enabled', says: toFlagIn('enabled') },
  'feature-environment-disabled': { label: 'Flag disabled', says: toFlagIn('disabled') },
  'feature-environment-variants-updated': { label: 'Flag variants updated', says: toFlagIn('updated variants of') },
  'feature-strategy-add': { label: 'Flag strategy added', says: toStrategy('added', 'to') },
  'feature-strategy-update': { label: 'Flag strategy updated', says: toStrategy('updated', 'of') },
  'feature-strategy-remove': { label: 'Flag strategy removed', says: toStrategy('removed', 'from') },
}

/** Describes an event: with a label, and with a sentence in Markdown. */
export function describeEvent(event: StoredEvent, baseUrl: string): { label: string; summary: string } {
  const wording = Object.hasOwn(wordings, event.type) ? wordings[event.type] : undefined
  const { label = event.type, says = () => `triggered **${event.type}**` } = wording ?? {}
  const projectUrl = `${baseUrl}/projects/${event.project}`
  const links = {
    flag: `**[${event.featureName}](${projectUrl}/features/${event.featureName})**`,
    project: `**[${event.project}](${projectUrl})**`,
  }
  return { label, summary: `**${event.createdBy}** ${says(event, links)}` }
}

/** The title of the strategy in an event, or its type without a title. */
function strategyOf({ data, preData }: StoredEvent): string {
  const strategy = data ?? preData
  return String(valueAt(strategy, ['title']) || valueAt(strategy, ['name']))
}
