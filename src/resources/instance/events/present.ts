import type { Frozen } from '../../../support/freeze.js'
import type { EventRecord } from './schema.js'

type Stored = Frozen<EventRecord>

/** The words for a type of event: a label, and a sentence without its subject, the user. */
interface Wording {
  label: string
  says(event: Stored, links: Links): string
}

/** Links into the user interface. */
interface Links {
  flag: string
  project: string
}

const toFlag =
  (verb: string) =>
  (_: Stored, { flag, project }: Links) =>
    `${verb} ${flag} in project ${project}`

const toFlagIn =
  (verb: string) =>
  (event: Stored, { flag, project }: Links) =>
    `${verb} ${flag} for the **${event.environment}** environment in project ${project}`

const toStrategy = (verb: string, preposition: string) => (event: Stored, links: Links) =>
  toFlagIn(`${verb} strategy **${strategyOf(event)}** ${preposition}`)(event, links)

/** The types of events with their own wording. */
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
export function describeEvent(event: Stored, baseUrl: string): { label: string; summary: string } {
  const wording = Object.hasOwn(wordings, event.type) ? wordings[event.type] : undefined
  const { label = event.type, says = () => `triggered **${event.type}**` } = wording ?? {}
  const projectUrl = `${baseUrl}/projects/${event.project}`
  const links = {
    flag: `**[${event.featureName}](${projectUrl}/features/${event.featureName})**`,
    project: `**[${event.project}](${projectUrl})**`,
  }
  return { label, summary: `**${event.createdBy}** ${says(event, links)}` }
}

/** The title of the strategy in an event, or its type if it has none. */
function strategyOf({ data, preData }: Stored): string {
  const { title, name } = (data ?? preData ?? {}) as { title?: unknown; name?: unknown }
  return String(title || name)
}
