import type { Frozen } from '../../../support/freeze.js'
import { valueAt } from '../../../support/json-path.js'
import type { EventRecord } from '../events/schema.js'
import type { AddonRecord, UpsertAddon } from './schema.js'

/** What stands for a sensitive parameter in a response. Sent back, it leaves the parameter as it is. */
export const MASK = '*****'

/** Messages of integrations that are kept. The oldest are dropped first. */
export const MESSAGES_KEPT = 100

/** Characters that are filled into a template. Further ones are left out. */
export const MOST_FILLED = 102_400

const ANY = '*'

/** What the service says of a message that it has sent. None is sent here. */
export const RECORDED = 'The message is recorded, and not sent.'

/** An integration from a client's input and the fields that only the service sets. */
export function createAddonRecord(
  { provider, description, enabled, parameters, events, projects = [], environments = [] }: Frozen<UpsertAddon>,
  own: Frozen<Pick<AddonRecord, 'id' | 'description' | 'createdAt'>>,
): Frozen<AddonRecord> {
  return {
    id: own.id,
    provider,
    description: description ?? own.description,
    enabled,
    parameters,
    events,
    projects,
    environments,
    createdAt: own.createdAt,
  }
}

/** Parameters as they were sent, with the stored ones in the place of masks. */
export function withoutMasks(
  sent: UpsertAddon['parameters'],
  stored: Frozen<AddonRecord>['parameters'],
): Frozen<AddonRecord>['parameters'] {
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, value === MASK ? stored[name] : value]))
}

/** Whether an integration sends a message about an event. */
export function listensTo({ enabled, events, ...addon }: Frozen<AddonRecord>, event: Frozen<EventRecord>): boolean {
  const { type, project, environment } = event
  return enabled && events.includes(type) && admits(addon.projects, project) && admits(addon.environments, environment)
}

function admits(chosen: readonly string[], name: string | null): boolean {
  return !name || chosen.length === 0 || chosen[0] === ANY || chosen.includes(name)
}

const ESCAPED = /[&<>"'/`=]/g

/** Fills in a Mustache template: `{{path}}` with characters of HTML escaped, `{{{path}}}` as it is. It has no sections. */
export function fillIn(template: string, values: object): string {
  let filled = 0
  return template.replace(/\{\{(\{?)([\w.]+)\}?\}\}/g, (_, isRaw: string, path: string) => {
    const text = asText(valueAt(values, path.split('.')))
    filled += text.length
    if (filled > MOST_FILLED) return ''
    return isRaw === '' ? text.replace(ESCAPED, (character) => `&#${character.charCodeAt(0)};`) : text
  })
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
