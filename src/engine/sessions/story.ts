import type { StoredEvent } from '../../service/resources/instance/events.js'
import type { Change, Commit } from '../../service/store/table.js'
import { none } from '../../support/freeze.js'
import { isObject, valueAt } from '../../support/json.js'
import { counted } from '../../support/text.js'

/** The request of a step. */
interface StoryRequest {
  /** The operation, by ID and in words. */
  readonly what: string
  readonly title: string
  /** The parameters of its path. */
  readonly params?: Readonly<Record<string, string>>
}

/** The names for an event's sentence. */
interface Subject {
  /** The name of the event's subject: `checkout-redesign`, `two` things `and` more. */
  name: string
  asked: StoryRequest
  changes: Commit['changes']
}

type Sentence = (event: StoredEvent, subject: Subject) => string

/** The sentences of events that say more than created, changed or deleted. */
const sentences: Readonly<Record<string, Sentence>> = {
  'feature-created': (_, { name, asked: { what, params } }) =>
    what === 'cloneFeature' ? `cloned ${params?.featureName} as ${name}` : `created ${name}`,
  'feature-revived': (_, { name }) => `revived ${name}`,
  'feature-metadata-updated': (event, { name, ...subject }) => {
    const fields = fieldsIn(event)
    const stale = `feature-stale-${valueAt(event.data, ['stale']) ? 'on' : 'off'}`
    if (fields.join() === 'stale') return sentences[stale]?.(event, { name, ...subject }) ?? ''
    const words = fields.map((field) => field.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase())
    return `changed the ${listed(words)} of ${name}`
  },
  'feature-stale-on': (_, { name }) => `marked ${name} as stale`,
  'feature-stale-off': (_, { name }) => `marked ${name} as no longer stale`,
  'feature-environment-enabled': ({ environment }, { name }) => `switched ${name} on in ${environment}`,
  'feature-environment-disabled': ({ environment }, { name }) => `switched ${name} off in ${environment}`,
  'feature-environment-variants-updated': ({ environment }, { name }) =>
    `changed the variants of ${name} in ${environment}`,
  'feature-strategy-add': (event, { name }) => `added ${strategyOf(event)} to ${name} in ${event.environment}`,
  'feature-strategy-remove': (event, { name }) => `removed ${strategyOf(event)} from ${name} in ${event.environment}`,
  'feature-strategy-update': (event, { name }) => {
    const [before, after] = [event.preData, event.data].map((data) => valueAt(data, ['parameters', 'rollout']))
    return before === after || after === undefined
      ? `changed ${strategyOf(event)} of ${name} in ${event.environment}`
      : `set the rollout of ${name} in ${event.environment} to ${after} %`
  },
  'feature-tagged': ({ data }, { name }) =>
    `tagged ${name} with ${valueAt(data, ['type'])}:${valueAt(data, ['value'])}`,
  'feature-untagged': ({ data, preData }, { name }) =>
    `removed the tag ${valueAt(data ?? preData, ['type'])}:${valueAt(data ?? preData, ['value'])} from ${name}`,
  'features-imported': (_, { changes }) => `imported ${counted(changes.get('features')?.length ?? 0, 'feature')}`,
  'public-signup-token-created': (_, { changes }) => `created the invite ${nameIn(changes.get('signupTokens'))}`,
  'public-signup-token-updated': ({ data, createdAt }, { changes }) => {
    const invite = `the invite ${nameIn(changes.get('signupTokens'))}`
    const [enabled, expiresAt] = [valueAt(data, ['enabled']), valueAt(data, ['expiresAt'])]
    if (enabled !== undefined) return `${enabled ? 'enabled' : 'disabled'} ${invite}`
    return String(expiresAt) <= createdAt
      ? `let ${invite} expire`
      : `moved the expiry of ${invite} to ${dayOf(expiresAt)}`
  },
  'public-signup-token-user-added': (_, { changes }) =>
    `signed up with the invite ${nameIn(changes.get('signupTokens'))}`,
}

/** Events that accompany others, which name the subject of the step. */
const ALONG =
  /^(feature-(strategy-add|dependency-added|link-added|tagged)|(tag|tag-type|context-field|segment)-created)$/

/**
 * The sentence, without its full stop, about a request's step: `Admin cloned checkout-redesign as n1`. It comes from the
 * logged events, or from the operation if it logged none.
 */
export function storyOf(
  { changes }: Commit,
  asked: StoryRequest,
  nameOfUser: (id: number) => string | undefined,
): string {
  const events = (changes.get('events') ?? none).flatMap(({ after }) =>
    after === undefined ? [] : [after as StoredEvent],
  )
  const main = events.find(({ type }) => type === 'features-imported') ?? events.find(({ type }) => !ALONG.test(type))
  const event = main ?? events.at(-1)
  if (event === undefined) return asked.title
  const names = [...new Set(events.filter(({ type }) => type === event.type).map(nameOfSubject))]
  const describe = sentences[event.type] ?? describeByType
  const who = nameOfUser(event.createdByUserId ?? 0) ?? event.createdBy
  return `${who} ${describe(event, { name: listed(names), asked, changes })}`
}

const verbs: Readonly<Record<string, string>> = { updated: 'changed', add: 'added', remove: 'removed' }
const prepositions: Readonly<Record<string, string>> = { added: 'to', removed: 'from' }

/** `segment-created`: `created the segment Beta testers`; `feature-link-added`: `added a link to checkout-redesign`. */
const describeByType: Sentence = ({ type, featureName }, { name }) => {
  const words = type.split('-')
  const last = words.pop() ?? ''
  const verb = verbs[last] ?? last
  if (words[0] !== 'feature' || featureName === null) return `${verb} the ${words.join(' ')} ${name}`.trim()
  const part = words.slice(1).join(' ')
  return part === '' ? `${verb} ${name}` : `${verb} a ${part} ${prepositions[verb] ?? 'of'} ${name}`
}

function nameOfSubject({ featureName, project, data, preData }: StoredEvent): string {
  const record = isObject(data) ? data : preData
  const name = ['name', 'tokenName', 'username', 'email', 'id'].map((field) => valueAt(record, [field])).find(Boolean)
  return String(featureName ?? name ?? project ?? '')
}

/** The name of the changed record, because the event can contain secrets. */
function nameIn(changes: readonly Change[] = none): string {
  return String(valueAt(changes[0]?.after ?? changes[0]?.before, ['name']))
}

function strategyOf({ data, preData }: StoredEvent): string {
  const strategy = data ?? preData
  return `the strategy ${valueAt(strategy, ['title']) || valueAt(strategy, ['name'])}`
}

/** The fields in which the data of an event differ. */
function fieldsIn({ data, preData }: StoredEvent): string[] {
  const [before, after] = [isObject(preData) ? preData : {}, isObject(data) ? data : {}]
  const names = Object.keys({ ...before, ...after })
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

const LISTED = 3

/** `one, two and 4 more` */
function listed(names: readonly string[]): string {
  const shown = names.length > LISTED ? [...names.slice(0, LISTED - 1), `${names.length - LISTED + 1} more`] : names
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** `2026-12-20` */
function dayOf(instant: unknown): string {
  return String(instant).slice(0, 10)
}
