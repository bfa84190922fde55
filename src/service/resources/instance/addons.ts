import * as z from 'zod'
import { type Frozen, none } from '../../../support/freeze.js'
import { valueAt } from '../../../support/json.js'
import { words } from '../../../support/text.js'
import { badData, type Failure } from '../../contract/errors.js'
import { secret } from '../../contract/secrets.js'
import { isInSubnet } from '../../evaluation/addresses.js'
import { HIGHEST_ID } from '../../store/collection.js'
import { tagTypeSchema } from '../flags/tags.js'
import { field, given, instant, openEnum, optional, whole, written } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { fixtureInstant, fixtureInstantSchema, idSchema, instantSchema, named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'
import definitions from './addon-providers.json' with { type: 'json' }
import { describeEvent, eventSchema, eventTable, type StoredEvent } from './events.js'

const parameterSchema = named('addonParameterSchema', () => ({
  name: z.string(),
  displayName: z.string(),
  type: z.string(),
  description: z.string().optional(),
  placeholder: z.string().optional(),
  required: z.boolean(),
  sensitive: z.boolean(),
}))

const providerSchema = named('addonTypeSchema', () => ({
  name: z.string(),
  displayName: z.string(),
  documentationUrl: z.string(),
  description: z.string(),
  howTo: z.string().optional(),
  deprecated: z.string().optional(),
  parameters: z.array(parameterSchema).optional(),
  events: z.array(z.string()).optional(),
  tagTypes: z.array(tagTypeSchema.partial({ color: true })).optional(),
  installation: z.object({ url: z.string(), title: z.string().optional(), helpText: z.string().optional() }).optional(),
  alerts: z
    .array(
      z.object({
        type: z.string().meta({ enum: ['success', 'info', 'warning', 'error'] }),
        text: z.string(),
        link: z.object({ url: z.string(), title: z.string().nullable().optional() }).optional(),
      }),
    )
    .optional(),
}))

type ProviderDefinition = z.infer<typeof providerSchema>

/** The providers of integrations, in Unleash's order. */
export const providers: readonly ProviderDefinition[] = definitions

/** The names of a provider's secret parameters. */
function sensitiveOf({ parameters = [] }: ProviderDefinition): string[] {
  return parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name)
}

const valueSchema = z.union([z.string(), z.number(), z.boolean()])

/** The parameters of any provider. A parameter that is sensitive for one provider is secret. */
function parametersWith<Value extends z.ZodType>(value: Value) {
  const hidden = (meaning: string) => secret(field(value.optional(), meaning))
  return z
    .object({
      url: hidden('The URL for its messages.'),
      authorization: hidden('The Authorization header of a webhook.'),
      customHeaders: hidden('Further headers, as a JSON object of strings.'),
      accessToken: hidden('The access token of the app for Slack.'),
      apiKey: hidden('The API key of Datadog.'),
      licenseKey: hidden('The license key of New Relic.'),
    })
    .catchall(value.optional())
}

export const parametersSchema = parametersWith(valueSchema)

/** An integration as stored. An empty list of events means none; an empty list of projects or environments means all. */
export const addonRecordSchema = object(() => ({
  id: field(idSchema.min(1), 'The ID.'),
  provider: given(
    z.string(),
    openEnum(['webhook', 'slack', 'slack-app', 'teams', 'datadog', 'new-relic', 'teamsworkflow']),
    'webhook',
    'The kind of integration.',
  ),
  description: optional(z.string().nullable(), null, 'The description.'),
  enabled: optional(z.boolean(), true, 'Whether it is enabled.'),
  parameters: whole(optional(parametersSchema, {}, "The provider's parameters: a URL, keys, a template.")),
  events: optional(z.array(z.string()), [], 'The event types that it reports.'),
  projects: optional(z.array(z.string()), [], 'The IDs of the projects that it reports on; empty for all.'),
  environments: optional(z.array(z.string()), [], 'The names of the environments that it reports on; empty for all.'),
  createdAt: written(instant('now', 'The time of creation.')),
}))

type AddonRecord = z.infer<typeof addonRecordSchema>

/** An integration in a response. The response to its creation has no date. */
export const addonSchema = named('addonSchema', () => addonRecordSchema.partial({ createdAt: true }).shape)

export const addonsSchema = named('addonsSchema', () => ({
  addons: z.array(addonSchema),
  providers: z.array(providerSchema),
}))

export const upsertAddonSchema = named('addonCreateUpdateSchema', () => ({
  provider: z.string(),
  description: z.string().optional(),
  enabled: z.boolean(),
  // The operation checks the values.
  parameters: parametersWith(z.unknown()),
  events: z.array(z.string()),
  projects: z.array(z.string()).optional(),
  environments: z.array(z.string()).optional(),
}))

type UpsertAddon = z.infer<typeof upsertAddonSchema>

/** A message that an integration would have sent. */
const integrationEventSchema = named('integrationEventSchema', () => ({
  id: field(
    z
      .string()
      .refine((id) => /^\d+$/.test(id) && Number(id) <= HIGHEST_ID, `must be a number up to ${HIGHEST_ID}, as text`),
    'The ID; later messages have higher IDs.',
  ),
  integrationId: field(z.int(), 'The ID of the integration.'),
  createdAt: given(instantSchema.clone(), fixtureInstantSchema.clone(), 'The time of recording.'),
  state: field(z.enum(['success', 'failed', 'successWithErrors']), 'The outcome.'),
  stateDetails: field(z.string(), 'The outcome in words.'),
  event: given(eventSchema, eventTable.fixture.clone(), 'The event that it reports.'),
  details: field(
    z
      .object({
        url: secret(field(valueSchema.optional(), 'The URL that it would have gone to.')),
      })
      .catchall(z.unknown()),
    'The contents of the message.',
  ),
}))

export const integrationEventsSchema = named('integrationEventsSchema', () => ({
  integrationEvents: z.array(integrationEventSchema),
}))

/** The mask of a sensitive parameter in responses. A request with the mask leaves the parameter unchanged. */
export const MASK = '*****'

/** The maximum messages of integrations. The oldest are dropped first. */
export const MESSAGES_KEPT = 100

/** The maximum characters filled into a template. The rest is left out. */
export const MOST_FILLED = 102_400

const ANY = '*'

/** In place of Unleash's report of a sent message. Nothing is sent here. */
export const RECORDED = 'The message is recorded, and not sent.'

/** Whether an integration that listens to events of a type sends a message about one. */
export function listensTo({ projects, environments }: StoredAddon, { project, environment }: StoredEvent): boolean {
  return admits(projects, project) && admits(environments, environment)
}

function admits(chosen: readonly string[], name: string | null): boolean {
  return !name || chosen.length === 0 || chosen[0] === ANY || chosen.includes(name)
}

const ESCAPED = /[&<>"'/`=]/g

/** Fills in a Mustache template: `{{path}}` with escaped HTML characters, `{{{path}}}` unescaped. It has no sections. */
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

export const addonTable = defineTable({
  meaning: 'Integrations, such as webhooks. Only `id` is needed.',
  record: addonRecordSchema,
  keyName: 'the id of an integration',
  key: ({ id }) => id,
  indexes: { event: ({ enabled, events }) => (enabled ? events : none) },
})

export const integrationEventTable = defineTable({
  meaning: 'Messages that integrations would have sent.',
  isReported: true,
  record: integrationEventSchema,
  keyName: 'the id of a message',
  key: ({ id }) => id,
  indexes: { integration: ({ integrationId }) => [integrationId] },
  own: ({ createdAt, event }, context) => ({
    createdAt: fixtureInstant(createdAt, context.now),
    event: eventTable.complete(event, context),
  }),
  *references({ integrationId }) {
    yield { at: 'integrationId', to: 'addons', key: integrationId }
  },
})

/** Fails for a wrong value, an unknown provider, a missing parameter, or a URL that Unleash does not call. */
export function checkAddon(sent: UpsertAddon): Failure | undefined {
  const { provider, parameters } = sent
  const fault = valueFault(sent)
  if (fault !== undefined) return badData(fault, '/body')
  const definition = providers.find(({ name }) => name === provider)
  if (definition === undefined) {
    const known = providers.map(({ name }) => name).join(', ')
    return badData(`There is no provider ${JSON.stringify(provider)}. The providers are ${known}.`, '/body/provider')
  }
  const required = (definition.parameters ?? []).filter((parameter) => parameter.required)
  const missing = required.filter(({ name }) => !Object.hasOwn(parameters, name)).map(({ name }) => name)
  return missing.length > 0
    ? badData(`The provider "${provider}" needs the parameters ${missing.join(', ')}.`, '/body/parameters')
    : checkUrl(parameters.url)
}

/** The error of the first parameter that isn't a text, a number or a boolean, or of the first empty text. */
function valueFault({ parameters, events, projects = [], environments = [] }: UpsertAddon): string | undefined {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') return `"parameters.${name}" must not be empty.`
    if (!valueSchema.safeParse(value).success) return `"parameters.${name}" must be a string, a number or a boolean.`
  }
  const lists = Object.entries({ events, projects, environments })
  const found = lists.find(([, items]) => items.includes(''))
  return found && `"${found[0]}[${found[1].indexOf('')}]" must not be empty.`
}

/**
 * DNS isn't available here, so only IP addresses count as private. The error doesn't quote the URL, which can contain a
 * secret.
 */
function checkUrl(sent: unknown): Failure | undefined {
  if (!sent || sent === MASK) return undefined
  const at = '/body/parameters/url'
  if (!URL.canParse(String(sent))) return badData('The parameter "url" is not a URL.', at)
  const { protocol, hostname } = new URL(String(sent))
  if (!/^https?:$/.test(protocol)) return badData('The parameter "url" must begin with http:// or https://.', at)
  return isPrivate(hostname) ? badData('The parameter "url" must lead to a public address.', at) : undefined
}

const PRIVATE_RANGES = words(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`)

const PRIVATE_V6 = /^\[(?:::|f[cdf]|fe[89ab]|2002:|2001:db8:)/

function isPrivate(host: string): boolean {
  const isLocal = host === 'localhost' || host.endsWith('.localhost') || PRIVATE_V6.test(host)
  return isLocal || PRIVATE_RANGES.some((range) => isInSubnet(host, range))
}

export type StoredAddon = Frozen<AddonRecord>

/** An integration in responses, with masked sensitive parameters. */
export function presentAddon(addon: StoredAddon): StoredAddon {
  const definition = providers.find(({ name }) => name === addon.provider)
  const sensitive = definition === undefined ? [] : sensitiveOf(definition)
  const shown = Object.entries(addon.parameters).map(([name, value]) => [name, sensitive.includes(name) ? MASK : value])
  return { ...addon, parameters: Object.fromEntries(shown) }
}

/** The body that an integration posts about an event, as text. */
export function messageOf(addon: StoredAddon, event: StoredEvent, baseUrl: string): string {
  const { bodyTemplate } = addon.parameters
  const summary = describeEvent(event, baseUrl).summary
  const json = JSON.stringify(event)
  if (typeof bodyTemplate !== 'string' || bodyTemplate === '') return addon.provider === 'webhook' ? json : summary
  const quoted = JSON.stringify(summary).slice(1, -1)
  const template = bodyTemplate.replaceAll('{{eventMarkdown}}', '{{{eventMarkdown}}}')
  return fillIn(template, { event, eventJson: JSON.stringify(json), eventMarkdown: quoted })
}

/** The details of a message in the list, besides its event. */
export function detailsOf(
  { provider, parameters }: StoredAddon,
  event: StoredEvent,
  message: string,
): Frozen<z.infer<typeof integrationEventSchema>>['details'] {
  if (provider === 'slack' || provider === 'slack-app') return { channels: channelsOf(parameters, event), message }
  if (provider !== 'webhook') return { body: message }
  const { url, contentType = 'application/json', bodyTemplate } = parameters
  return { ...(url === undefined ? {} : { url }), contentType, body: bodyTemplate ? message : event }
}

/** The channels in the tags of an event, and the default channels. */
function channelsOf(
  { defaultChannel, defaultChannels }: StoredAddon['parameters'],
  { tags }: StoredEvent,
): readonly string[] {
  const tagged = tags.filter(({ type }) => type === 'slack').map(({ value }) => value)
  if (defaultChannels === undefined && tagged.length > 0) return tagged
  const usual = String(defaultChannels ?? defaultChannel ?? '').split(',')
  return [...new Set([...tagged, ...usual].map((name) => name.trim()).filter((name) => name !== ''))]
}
