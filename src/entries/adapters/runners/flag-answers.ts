import { flagsOfScenarios } from '../../../engine/mock/core.js'
import { CORE, type MockSession, sessionOf } from '../../../engine/mock/session.js'
import { statesOnTop } from '../../../engine/scenarios/selection.js'
import type { JournalEntry } from '../../../engine/sessions/journal.js'
import type { ObservedFlag } from '../../../engine/sessions/sdk-directory.js'
import type { Session } from '../../../engine/sessions/session.js'
import type { EvaluationContext } from '../../../service/evaluation/context.js'
import type { StoredFeature } from '../../../service/resources/flags/features.js'
import { anonymous } from '../../../service/resources/people/callers.js'
import { createExplainer, ENABLED_NOWHERE, type ExplainedFeature } from '../../../service/resources/sdk/explained.js'
import { contextOf, LOCAL_ADDRESS, type SentContext } from '../../../service/resources/sdk/frontend.js'
import { ALL_FLAGS, type FlagStates, toldTables } from '../../../service/resources/sdk/told-features.js'
import type { SdkScope } from '../../../service/resources/shared/context.js'
import { attempt } from '../../../support/errors.js'
import { isObject } from '../../../support/json.js'
import { grouped } from '../../../support/lists.js'

/** The maximum names in a sentence. */
const NAMES_LISTED = 10

/** A flag that a test asked an SDK for. Without observed SDKs, a flag of fixtures or of the test itself. */
interface FlagQuestion {
  feature: StoredFeature
  /** The last request of the SDK for flags. Undefined for a client of the mock. */
  fetch: JournalEntry | undefined
  asked: ObservedFlag | undefined
}

/** A fact about a flag. Flags with the same fact share a sentence. */
interface FlagFact {
  name: string
  fact: keyof typeof SENTENCES
  detail?: string
}

/** The sentences in their order. */
const SENTENCES = {
  elsewhere: (names, session) => `${names} exists in the session "${session}", and the request was in another.`,
  early: (names) => `The test asked for ${names} before the SDK had its flags. Await the start of the SDK.`,
  late: (names) =>
    `The test changed ${names} after the SDK's last request for flags. Change flags before the SDK starts, or wait until it asks again.`,
  unread: (names) =>
    `The test asked for ${names} before the SDK's last response, which has another state. Await start, updateContext or setContextField.`,
  off: (names, reason, are) => `${names} ${are} off: ${reason}.`,
  on: (names, environment, are) => `${names} ${are} on in ${environment}.`,
  plain: (names) => `No variants: ${names}. mock.setVariant gives a flag one.`,
} satisfies Record<string, (names: string, detail: string, are: string) => string>

/**
 * Sentences about the flags that the test asked for: why they are off, and which it changed too late. Without an observed
 * SDK, about the flags of fixtures and of the test itself that are off.
 */
export function flagAnswers(mock: MockSession, fetches: readonly JournalEntry[]): string[] {
  const answers = new FlagAnswers(mock, fetches)
  const facts = [...answers.elsewhere(), ...answers.questions().flatMap((question) => answers.factsOn(question))]
  return (Object.keys(SENTENCES) as FlagFact['fact'][]).flatMap((wanted) => {
    const groups = grouped(
      facts.filter(({ fact }) => fact === wanted),
      ({ detail = '' }) => detail,
    )
    return [...groups].map(([detail, flags]) => {
      const names = listed(flags.map(({ name }) => name))
      return SENTENCES[wanted](names, detail, flags.length === 1 ? 'is' : 'are')
    })
  })
}

/** The last evaluation of each flag that a test asked for. */
export function askedFlags(mock: MockSession): ObservedFlag[] {
  return [...mock[CORE].coverage.forSession(mock.name).asked.values()]
}

class FlagAnswers {
  readonly #session: Session
  readonly #sessions: readonly Session[]
  readonly #fetches: readonly JournalEntry[]
  readonly #observed: readonly ObservedFlag[]
  /** The states that SDKs are told in place of the data. */
  readonly #states: FlagStates

  constructor(mock: MockSession, fetches: readonly JournalEntry[]) {
    const session = sessionOf(mock)
    this.#session = session
    this.#sessions = mock[CORE].sessions.all()
    this.#fetches = fetches
    this.#observed = askedFlags(mock)
    this.#states = statesOnTop(session.world().composition.flags, session.selection.states)
  }

  get #tables() {
    return this.#session.world().data.tables
  }

  questions(): FlagQuestion[] {
    const { features } = this.#tables
    if (this.#observed.length > 0) {
      return this.#observed.flatMap((asked) => {
        const feature = features.get(asked.name)
        return feature === undefined ? [] : [{ feature, asked, fetch: this.#fetchOf(asked) }]
      })
    }
    const fetch = this.#fetches.at(-1)
    if (fetch === undefined) return []
    const others = flagsOfScenarios()
    return features.list().flatMap((feature) => {
      const { name, archived } = feature
      const isOwn = this.#session.changedFlags.has(name) || !others.has(name)
      return isOwn && !archived && this.#toldState(name) === undefined ? [{ feature, fetch, asked: undefined }] : []
    })
  }

  /** The flags that only another session has. */
  elsewhere(): FlagFact[] {
    const missing = this.#observed.filter(({ name }) => !this.#tables.features.has(name))
    return missing.flatMap(({ name }) => {
      const others = this.#sessions.filter((other) => other.world().data.tables.features.has(name))
      return others.map((other) => ({ name, fact: 'elsewhere' as const, detail: other.name }))
    })
  }

  factsOn({ feature, fetch, asked }: FlagQuestion): FlagFact[] {
    const { name } = feature
    // Without a response, the list of requests says more.
    if (asked?.isEarly) return fetch === undefined ? [] : [{ name, fact: 'early' }]
    const scope = this.#scopeOf(fetch, asked)
    const found = scope && attempt(() => this.#explain(feature, scope, fetch, asked))
    const change = this.#session.changedFlags.get(name)
    if (fetch !== undefined && ((change?.after ?? -1) >= fetch.id || (found?.isSure && isOutdated(fetch, name, found))))
      return [{ name, fact: 'late' }]
    if (asked !== undefined && found !== undefined && isUnread(fetch, asked)) return [{ name, fact: 'unread' }]
    // The SDK knows better: it can have its own strategies and filters.
    if (found === undefined || (asked !== undefined && asked.isOn !== found.isOn)) return []
    const { isOn, reason, hasVariants } = found
    // Most flags of a fixture are off on purpose.
    const isMeant = asked === undefined && reason === ENABLED_NOWHERE
    const facts: FlagFact[] = []
    if (reason !== undefined && !isMeant) facts.push({ name, fact: 'off', detail: this.#toldState(name) ?? reason })
    if (asked?.isOn) facts.push({ name, fact: 'on', detail: scope?.environment ?? '' })
    const wantsVariant = asked?.asksVariant ?? change?.isOn
    if (wantsVariant && isOn && !hasVariants) facts.push({ name, fact: 'plain' })
    return facts
  }

  #fetchOf({ id, environment }: ObservedFlag): JournalEntry | undefined {
    if (environment !== undefined) return undefined
    const own = this.#fetches.findLast(({ requestHeaders }) => requestHeaders['unleash-connection-id'] === id)
    return id !== '' && own !== undefined ? own : this.#fetches.at(-1)
  }

  /** Undefined for an API token that the journal hides. */
  #scopeOf(fetch: JournalEntry | undefined, asked: ObservedFlag | undefined): SdkScope | undefined {
    if (asked?.environment !== undefined) {
      return { environment: asked.environment, projects: ['*'], isFrontend: true }
    }
    const token = this.#tables.apiTokens.get(fetch?.requestHeaders.authorization ?? '')
    if (token?.environment === undefined) return undefined
    return { environment: token.environment, projects: token.projects, isFrontend: token.type === 'frontend' }
  }

  #explain(
    feature: StoredFeature,
    scope: SdkScope,
    fetch: JournalEntry | undefined,
    asked: ObservedFlag | undefined,
  ): ExplainedFeature {
    const tables = this.#tables
    const now = this.#session.world().clock.now()
    const caller = { ...anonymous, sdk: scope }
    const told = this.#states.size === 0 ? tables : toldTables(tables, this.#states, { caller, now })
    const isServer = scope.isFrontend !== true
    const sent: SentContext = isServer || fetch === undefined ? { ...asked?.context } : sentContext(fetch)
    const context: EvaluationContext = isServer ? sent : contextOf(sent, addressIn(fetch))
    const query = isServer && fetch !== undefined ? Object.fromEntries(queryOf(fetch)) : {}
    const explain = createExplainer({ told, scope, query, context, now })
    return explain(told.features.get(feature.name) ?? feature)
  }

  /** The reason for the state that SDKs are told in place of the data. */
  #toldState(name: string): string | undefined {
    const state = this.#states.get(name) ?? this.#states.get(ALL_FLAGS)
    return state === undefined ? undefined : `SDKs are told the state "${state}", by tellFlags or a scenario`
  }
}

/** Whether a frontend said another state than the last response has. */
function isUnread(fetch: JournalEntry | undefined, { name, isOn }: ObservedFlag): boolean {
  const toggles: unknown = isObject(fetch?.responseBody) ? fetch.responseBody.toggles : undefined
  return Array.isArray(toggles) && toggles.some((one: unknown) => isObject(one) && one.name === name) !== isOn
}

/** Whether a new request would be told another state of a flag or, for frontends, another variant. */
function isOutdated(
  { responseBody }: JournalEntry,
  name: string,
  { isOn, variant, ...now }: ExplainedFeature,
): boolean {
  if (!isObject(responseBody)) return false
  const { features, toggles } = responseBody
  const named = (one: unknown) => isObject(one) && one.name === name
  if (Array.isArray(features)) {
    const served: unknown = features.find(named)
    return now.isListed && (!isObject(served) || served.enabled !== now.isSwitchedOn)
  }
  if (!Array.isArray(toggles)) return false
  const served: unknown = toggles.find(named)
  if (!isObject(served)) return isOn
  const had = isObject(served.variant) && served.variant.enabled === true ? served.variant.name : undefined
  return !isOn || had !== variant
}

/** The context in a request for flags. */
export function sentContext(fetch: JournalEntry): SentContext {
  const { requestBody } = fetch
  const inBody = isObject(requestBody) && isObject(requestBody.context) ? requestBody.context : {}
  return { ...Object.fromEntries(queryOf(fetch)), ...inBody }
}

function addressIn(fetch: JournalEntry | undefined): string {
  return fetch?.requestHeaders['x-forwarded-for']?.split(',')[0]?.trim() || LOCAL_ADDRESS
}

export function queryOf({ path }: JournalEntry): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '')
}

export function listed(names: readonly string[]): string {
  const rest = names.length - NAMES_LISTED
  return `${names.slice(0, NAMES_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
