import type { Frozen } from '../../../support/freeze.js'
import type { EventRecord } from './schema.js'

type Stored = Frozen<EventRecord>

/** How an event of some type is told: in two words, and as the end of a sentence that begins with who did it. */
interface Telling {
  label: string
  says(event: Stored, links: Links): string
}

/** The things of an event, as links into the user interface. */
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

/** The types of events that are told in words of their own. */
const tellings: Readonly<Record<string, Telling>> = {
  'feature-created': { label: 'Flag created', says: toFlag('created') },
  'feature-updated': { label: 'Flag updated', says: toFlag('updated') },
  'feature-metadata-updated': { label: 'Flag updated', says: toFlag('updated') },
  'feature-archived': { label: 'Flag archived', says: toFlag('archived') },
  'feature-revived': { label: 'Flag revived', says: toFlag('revived') },
  'feature-deleted': { label: 'Flag deleted', says: toFlag('deleted') },
  'feature-stale-on': { label: 'Flag marked as stale', says: toFlag('marked as stale:') },
  'feature-stale-off': { label: 'Flag no longer stale', says: toFlag('took the mark of a stale flag off') },
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

/** An event in words: a label and, as Markdown with links, a sentence. */
export function describeEvent(event: Stored, baseUrl: string): { label: string; summary: string } {
  const telling = Object.hasOwn(tellings, event.type) ? tellings[event.type] : undefined
  const { label = event.type, says = () => `triggered **${event.type}**` } = telling ?? {}
  const projectUrl = `${baseUrl}/projects/${event.project}`
  const links = {
    flag: `**[${event.featureName}](${projectUrl}/features/${event.featureName})**`,
    project: `**[${event.project}](${projectUrl})**`,
  }
  return { label, summary: `**${event.createdBy}** ${says(event, links)}` }
}

/** The title of the strategy that an event is about, else its type. */
function strategyOf({ data, preData }: Stored): string {
  const { title, name } = (data ?? preData ?? {}) as { title?: unknown; name?: unknown }
  return String(title || name)
}
