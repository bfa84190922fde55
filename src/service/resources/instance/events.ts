import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { valueAt } from '../../../support/json.js'
import { field, instant, optional } from '../shared/fields.js'
import { idSchema, named, versioned } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

/** The ID of the user that events name if no user is signed in. The username depends on the profile. */
export const SYSTEM_USER = -1337

/** One entry of Unleash's event log, as stored and returned. */
export const eventSchema = named('eventSchema', () => ({
  id: field(idSchema.min(1), 'The ID; later events have higher IDs.'),
  type: field(z.string(), 'The event type, such as `feature-created`.'),
  createdBy: optional(z.string(), 'system', 'The name of the user.'),
  createdAt: instant('now', 'The time.'),
  createdByUserId: optional(z.int().nullable(), SYSTEM_USER, 'The ID of the user; null for a migration.'),
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
}))

export type ServiceEvent = z.infer<typeof eventSchema>

export type StoredEvent = Frozen<ServiceEvent>

export const eventsSchema = versioned('eventsSchema', () => ({ events: z.array(eventSchema), totalEvents: z.int() }))

export const featureEventsSchema = versioned('featureEventsSchema', () => ({
  toggleName: z.string(),
  events: z.array(eventSchema),
  totalEvents: z.int(),
}))

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
  isReported: true,
  record: eventSchema,
  keyName: 'the id of an event',
  key: ({ id }) => id,
  indexes: { feature: ({ featureName }) => (featureName === null ? [] : [featureName]) },
  // Copies the data, so that nobody else can change it.
  own: ({ data = null, preData = null, createdBy, createdByUserId }) => ({
    data: structuredClone(data),
    preData: structuredClone(preData),
    createdByUserId: createdByUserId ?? (createdBy === 'migration' ? null : SYSTEM_USER),
  }),
})

export const eventTable = { ...table, log: true } as const

/** The words for a type of event: a label, and a sentence in Markdown without its subject. */
interface Wording {
  label: string
  says(event: StoredEvent, names: Names): string
  /** Whether the sentence has no subject. Default: the user is its subject. */
  passive?: true
}

/** The names in a sentence, in bold. Most are links into the user interface. */
interface Names {
  flag: string
  /** A feature that has no page. */
  gone: string
  project: string
}

const toFlag =
  (verb: string, after = '') =>
  (_: StoredEvent, { flag, project }: Names) =>
    `${verb} ${flag}${after} in project ${project}`

const toGone =
  (verb: string) =>
  (_: StoredEvent, { gone, project }: Names) =>
    `${verb} ${gone} in project ${project}`

const toFlagIn =
  (verb: string) =>
  (event: StoredEvent, { flag, project }: Names) =>
    `${verb} ${flag} for the **${event.environment}** environment in project ${project}`

const toStrategy = (verb: string, preposition: string) => (event: StoredEvent, names: Names) =>
  toFlagIn(`${verb} strategy **${strategyOf(event)}** ${preposition}`)(event, names)

const withTag = (verb: string) => (event: StoredEvent, names: Names) =>
  toFlag(verb, ` with **${textIn(event, 'type')}:${textIn(event, 'value')}**`)(event, names)

/** The wordings for the creation, the change and the deletion of a kind of record with a name. */
function changesOf(type: string, noun: string): Record<string, Wording> {
  const kind = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
  return Object.fromEntries(
    ['created', 'updated', 'deleted'].map((verb) => [
      `${type}-${verb}`,
      { label: `${kind} ${verb}`, says: (event) => `${verb} ${noun} **${textIn(event, 'name')}**` },
    ]),
  )
}

/** The event types with their own wording. */
const wordings: Readonly<Record<string, Wording>> = {
  ...changesOf('segment', 'segment'),
  ...changesOf('context-field', 'context field'),
  ...changesOf('user', 'user'),
  // Unleash names API tokens by a field that they no longer have.
  'api-token-created': { label: 'API token created', says: () => 'created API token ****' },
  'api-token-deleted': { label: 'API token deleted', says: () => 'deleted API token ****' },
  'feature-created': { label: 'Flag created', says: toFlag('created') },
  'feature-updated': { label: 'Flag updated', says: toFlag('updated') },
  'feature-metadata-updated': { label: 'Flag metadata updated', says: toFlag('updated', ' metadata') },
  'feature-archived': { label: 'Flag archived', says: toGone('archived') },
  'feature-revived': { label: 'Flag revived', says: toFlag('revived') },
  'feature-deleted': { label: 'Flag deleted', says: toGone('deleted') },
  'feature-stale-on': { label: 'Flag marked as stale', says: toFlag('marked', ' as stale') },
  'feature-stale-off': { label: 'Flag stale marking removed', says: toFlag('removed the stale marking on') },
  'feature-completed': {
    label: 'Flag marked as completed',
    passive: true,
    says: (_, { flag, project }) => `${flag} was marked as completed in project ${project}`,
  },
  'feature-tagged': { label: 'Flag tagged', says: withTag('tagged') },
  'feature-untagged': { label: 'Flag untagged', says: withTag('untagged') },
  'feature-environment-enabled': { label: 'Flag enabled', says: toFlagIn('enabled') },
  'feature-environment-disabled': { label: 'Flag disabled', says: toFlagIn('disabled') },
  'feature-environment-variants-updated': { label: 'Flag variants updated', says: toFlagIn('updated variants for') },
  'feature-strategy-add': { label: 'Flag strategy added', says: toStrategy('added', 'to') },
  'feature-strategy-update': {
    label: 'Flag strategy updated',
    says: (event, { flag, project }) =>
      `updated ${flag} in project ${project} by updating strategy **${strategyOf(event)}** in **${event.environment}**${differences(event)}`,
  },
  'feature-strategy-remove': { label: 'Flag strategy removed', says: toStrategy('removed', 'from') },
}

/** Describes an event: with a label, and with a sentence in Markdown. */
export function describeEvent(event: StoredEvent, baseUrl: string): { label: string; summary: string } {
  const wording = Object.hasOwn(wordings, event.type) ? wordings[event.type] : undefined
  const { label = event.type, says = () => `triggered **${event.type}**`, passive } = wording ?? {}
  const projectUrl = `${baseUrl}/projects/${event.project}`
  const names = {
    flag: `**[${event.featureName}](${projectUrl}/features/${event.featureName})**`,
    gone: `**${event.featureName}**`,
    project: `**[${event.project}](${projectUrl})**`,
  }
  return { label, summary: `${passive ? '' : `**${event.createdBy}** `}${says(event, names)}` }
}

/** A text in the data of an event, from before the change if there was one. */
function textIn({ data, preData }: StoredEvent, name: string): string {
  return String(valueAt(preData ?? data, [name]) ?? '')
}

/** The title of the strategy in an event, before the change if it had one, or its type. */
function strategyOf({ data, preData }: StoredEvent): string {
  return String(valueAt(preData, ['title']) || valueAt(data, ['title']) || valueAt(data ?? preData, ['name']))
}

/** The parameters that the sentence about a changed strategy tells, by its type. Other types are told without changes. */
const parametersTold: Readonly<Record<string, readonly string[]>> = {
  default: [],
  flexibleRollout: ['stickiness', 'rollout', 'groupId'],
  remoteAddress: ['IPs'],
  applicationHostname: ['hostNames'],
  userWithId: ['userIds'],
}

/** The old and the new parameters, constraints and segments of a changed strategy, in a sentence. */
function differences({ data, preData }: StoredEvent): string {
  const type = String(valueAt(data, ['name']))
  const parameters = Object.hasOwn(parametersTold, type) ? parametersTold[type] : undefined
  if (parameters === undefined) return ''
  const shown: [string, (strategy: unknown) => string | undefined][] = [
    ...parameters.map((name): (typeof shown)[number] => [name, (strategy) => parameterIn(strategy, name)]),
    ['constraints', (strategy) => listed(listIn(strategy, 'constraints').map(constraintIn), ', ', '[]')],
    ['segments', (strategy) => listed(listIn(strategy, 'segments').map(String), ',', '()')],
  ]
  const told = shown.flatMap(([name, show]) => {
    const [before, after] = [show(preData), show(data)]
    if (after === undefined || before === after) return []
    return [before === undefined ? `${name} to ${after}` : `${name} from ${before} to ${after}`]
  })
  return told.length === 0 ? '' : ` ${told.join('; ')}`
}

function parameterIn(strategy: unknown, name: string): string | undefined {
  const value = valueAt(strategy, ['parameters', name])
  if (value === undefined) return undefined
  if (name === 'rollout') return `${value}%`
  return parametersTold.flexibleRollout?.includes(name) ? String(value) : `[${value}]`
}

function listed(items: readonly string[], separator: string, [open, close]: string): string {
  return items.length === 0 ? 'none' : `${open}${items.join(separator)}${close}`
}

function listIn(strategy: unknown, name: string): readonly unknown[] {
  const list = valueAt(strategy, [name])
  return Array.isArray(list) ? list : []
}

function constraintIn(constraint: unknown): string {
  const values = listIn(constraint, 'values')
  const compared = values.length > 0 ? `(${values.join(',')})` : String(valueAt(constraint, ['value']) ?? '()')
  const not = valueAt(constraint, ['inverted']) === true ? 'not ' : ''
  return `${valueAt(constraint, ['contextName'])} ${not}${valueAt(constraint, ['operator'])} ${compared}`
}
