import type { Frozen } from '../../../support/freeze.js'
import { describeEvent } from '../events/present.js'
import type { EventRecord } from '../events/schema.js'
import { providers, sensitiveOf } from './providers.js'
import { fillIn, MASK } from './rules.js'
import type { AddonRecord, IntegrationEvent } from './schema.js'

type Stored = Frozen<AddonRecord>

/** An integration as it is read: with its sensitive parameters masked. */
export function presentAddon(addon: Stored): Stored {
  const definition = providers.find(({ name }) => name === addon.provider)
  const sensitive = definition === undefined ? [] : sensitiveOf(definition)
  const shown = Object.entries(addon.parameters).map(([name, value]) => [name, sensitive.includes(name) ? MASK : value])
  return { ...addon, parameters: Object.fromEntries(shown) }
}

/** The body that an integration posts about an event, as text. */
export function messageOf(addon: Stored, event: Frozen<EventRecord>, baseUrl: string): string {
  const { bodyTemplate } = addon.parameters
  const summary = describeEvent(event, baseUrl).summary
  const json = JSON.stringify(event)
  if (typeof bodyTemplate !== 'string' || bodyTemplate === '') return addon.provider === 'webhook' ? json : summary
  const quoted = JSON.stringify(summary).slice(1, -1)
  const template = bodyTemplate.replaceAll('{{eventMarkdown}}', '{{{eventMarkdown}}}')
  return fillIn(template, { event, eventJson: JSON.stringify(json), eventMarkdown: quoted })
}

/** What the list of messages shows of one, besides its event. */
export function detailsOf(
  { provider, parameters }: Stored,
  event: Frozen<EventRecord>,
  message: string,
): Frozen<IntegrationEvent>['details'] {
  if (provider === 'slack' || provider === 'slack-app') return { channels: channelsOf(parameters, event), message }
  if (provider !== 'webhook') return { body: message }
  const { url, contentType = 'application/json', bodyTemplate } = parameters
  return { ...(url === undefined ? {} : { url }), contentType, body: bodyTemplate ? message : event }
}

/** The channels that the tags of an event name, and the usual ones. */
function channelsOf(
  { defaultChannel, defaultChannels }: Stored['parameters'],
  { tags }: Frozen<EventRecord>,
): readonly string[] {
  const tagged = tags.filter(({ type }) => type === 'slack').map(({ value }) => value)
  if (defaultChannels === undefined && tagged.length > 0) return tagged
  const usual = String(defaultChannels ?? defaultChannel ?? '').split(',')
  return [...new Set([...tagged, ...usual].map((name) => name.trim()).filter((name) => name !== ''))]
}
