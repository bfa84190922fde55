import { flagsOfScenarios } from '../../../engine/mock/core.js'
import { type MockSession, sessionOf } from '../../../engine/mock/session.js'
import type { JournalEntry } from '../../../engine/sessions/journal.js'
import { meantRecord } from '../../../engine/state/state-fault.js'
import type { StoredFeature } from '../../../service/resources/flags/features.js'
import type { Tables } from '../../../service/resources/tables.js'
import { isObject } from '../../../support/json.js'
import { grouped } from '../../../support/lists.js'
import { counted } from '../../../support/text.js'

/** The maximum names in a sentence. */
const NAMES_LISTED = 10

/** The operations by which SDKs fetch the flags, and whether they send a context. */
const FETCHES: ReadonlyMap<string | null, boolean> = new Map([
  ['getFrontendFeatures', true],
  ['getFrontendApiFeaturesWithPost', true],
  ['getAllClientFeatures', false],
])

/** The fields of a context that Unleash knows without a record. */
const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName', 'environment', 'currentTime', 'properties']

/** Sentences about facts that often make a test fail: about its flags, and about the last request of an SDK for flags. */
export function causesOf(mock: MockSession): string[] {
  const session = sessionOf(mock)
  const { tables } = session.world().data
  const fetch = mock.requests.all().findLast(({ operation }) => FETCHES.has(operation))
  const { changedFlags } = session
  const created = new Set([...session.worlds.values()].flatMap((world) => [...world.created]))
  const gone = [...created].filter((name) => !tables.features.has(name))
  const found = gone.length === 0 ? [] : [goneFlags(gone)]
  if (fetch === undefined) return found
  const late = [...changedFlags].flatMap(([name, { after }]) => (after >= fetch.id ? [name] : []))
  if (late.length > 0) {
    found.push(
      `The test changed ${listed(late)} after the SDK's last request for flags. Change flags before the SDK starts, or wait until it asks again.`,
    )
  }
  const sent = FETCHES.get(fetch.operation) ? sentFields(fetch) : undefined
  if (sent !== undefined) found.push(...misspeltFields(sent, tables))
  if (lacksContext(fetch)) {
    found.push(
      'The body of the SDK\'s request has no "context". Its fields belong there: { "context": { "userId": "1" } }.',
    )
  }
  const environment = tables.apiTokens.get(fetch.requestHeaders.authorization ?? '')?.environment
  if (environment === undefined) return found
  const named = queryOf(fetch).get('environment')
  if (named !== null && named !== environment && tables.environments.has(named)) {
    found.push(`The SDK sent the environment "${named}", but gets the flags of ${environment}, as its API token says.`)
  }
  const others = flagsOfScenarios()
  const own = tables.features.list().filter(({ name, archived }) => {
    return !archived && (changedFlags.has(name) || !others.has(name)) && !session.selection.states.has(name)
  })
  const reasons = own.flatMap((feature) => {
    const reason = reasonToBeOff(feature, environment, tables) ?? missingContext(feature, environment, sent)
    return reason === undefined ? [] : [{ reason, name: feature.name }]
  })
  for (const [reason, flags] of grouped(reasons, (one) => one.reason)) {
    const names = flags.map(({ name }) => name)
    found.push(`${listed(names)} ${names.length === 1 ? 'is' : 'are'} ${reason}.`)
  }
  const plain = own.flatMap((feature) => {
    const isEnabled = changedFlags.get(feature.name)?.isOn === true
    return isEnabled && !hasVariants(feature) ? [feature.name] : []
  })
  if (plain.length > 0) found.push(`No variants: ${listed(plain)}. mock.setVariant gives a flag one.`)
  return found
}

function goneFlags(names: readonly string[]): string {
  const [verb, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${counted(names.length, 'flag')} that the test had created ${verb} gone: ${listed(names)}. useScenario and reset start the data over: create ${them} afterwards.`
}

function queryOf({ path }: JournalEntry): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '')
}

/** Whether a request has a body with fields, but without a context. */
function lacksContext({ requestBody }: JournalEntry): boolean {
  return isObject(requestBody) && Object.keys(requestBody).length > 0 && !isObject(requestBody.context)
}

/** The names of the fields of the context in a request for flags. */
function sentFields(fetch: JournalEntry): string[] {
  const { requestBody } = fetch
  const body = isObject(requestBody) && isObject(requestBody.context) ? requestBody.context : {}
  const properties = isObject(body.properties) ? body.properties : {}
  const inQuery = [...queryOf(fetch).keys()]
  const names = inQuery.map((name) => /^properties\[(.+)\]$/.exec(name)?.[1] ?? name)
  return [...new Set([...names, ...Object.keys(body), ...Object.keys(properties)])]
}

/** Sentences about fields of the context that are near a known field. */
function misspeltFields(sent: readonly string[], { contextFields }: Tables): string[] {
  const known = [...new Set([...FIELDS, ...contextFields.list().map(({ name }) => name)])]
  return sent.flatMap((name) => {
    const hint = known.includes(name) ? '' : meantRecord(name, known)
    return hint === '' ? [] : [`The SDK sent the context field "${name}".${hint}`]
  })
}

/** Fields that Unleash fills itself: it knows the environment, the time and the address of each request. */
const OWN_FIELDS = ['environment', 'currentTime', 'remoteAddress']

/** Why each strategy of a flag is off, if each has a constraint on a field that the SDK didn't send. */
function missingContext(
  { environments }: StoredFeature,
  environment: string,
  sent: readonly string[] | undefined,
): string | undefined {
  const { strategies = [] } = environments.find(({ name }) => name === environment) ?? {}
  const active = strategies.filter(({ disabled }) => !disabled)
  const known = [...OWN_FIELDS, ...(sent ?? [])]
  const missing = active.map(({ constraints }) =>
    constraints.find(({ contextName, operator, inverted = false }) => {
      // Without the field, a constraint is off, unless it is negated.
      return (operator === 'NOT_IN') === inverted && !known.includes(contextName)
    }),
  )
  const [first] = missing
  const areAllOff = sent !== undefined && first !== undefined && !missing.includes(undefined)
  return areAllOff ? `on only with the context field "${first.contextName}", which the SDK didn't send` : undefined
}

/** The reason why a flag is off for everyone in an environment, if it looks like a mistake: "off because its parent x is off". */
function reasonToBeOff(feature: StoredFeature, environment: string, { features }: Tables): string | undefined {
  const isOn = (one: StoredFeature | undefined) =>
    one?.archived === false && one.environments.some(({ name, enabled }) => name === environment && enabled)
  if (isOn(feature)) {
    const parent = feature.dependencies.find(
      ({ feature: name, enabled = true }) => enabled && !isOn(features.get(name)),
    )
    return parent && `off because the parent ${parent.feature} is off in ${environment}`
  }
  const elsewhere = feature.environments.filter(({ enabled }) => enabled).map(({ name }) => name)
  return elsewhere.length === 0
    ? undefined
    : `on in ${elsewhere.join(' and ')} only, and the SDK's API token is for ${environment}`
}

function hasVariants({ environments }: StoredFeature): boolean {
  return environments.some(
    ({ variants, strategies }) => variants.length > 0 || strategies.some((one) => one.variants.length > 0),
  )
}

function listed(names: readonly string[]): string {
  const rest = names.length - NAMES_LISTED
  return `${names.slice(0, NAMES_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
