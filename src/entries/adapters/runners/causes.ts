import { type MockSession, sessionOf } from '../../../engine/mock/session.js'
import { DEFAULT_SCENARIO } from '../../../engine/scenarios/catalogue.js'
import { namesIn } from '../../../engine/sessions/flag-counter.js'
import type { JournalEntry } from '../../../engine/sessions/journal.js'
import type { Session } from '../../../engine/sessions/session.js'
import { meantRecord } from '../../../engine/state/state-fault.js'
import { CONTEXT_FIELDS, contextFieldIn } from '../../../service/resources/sdk/frontend.js'
import type { Tables } from '../../../service/resources/tables.js'
import { isObject } from '../../../support/json.js'
import { counted } from '../../../support/text.js'
import { askedFlags, flagAnswers, listed, queryOf, sentContext } from './flag-answers.js'

/** The operations by which SDKs fetch the flags, and whether they send a context. */
const FETCHES: ReadonlyMap<string | null, boolean> = new Map([
  ['getFrontendFeatures', true],
  ['getFrontendApiFeaturesWithPost', true],
  ['getAllClientFeatures', false],
])

/** The statuses of responses with flags, or without a change. */
const ANSWERED = [200, 304]

/** Sentences about facts that often make a test fail: about its flags, and about the last request of an SDK for flags. */
export function causesOf(mock: MockSession): string[] {
  const session = sessionOf(mock)
  const { data, rules } = session.world()
  const { tables } = data
  const active = new Set(rules.all().map(({ rule }) => rule))
  const found = [
    ...gone('flag', goneFlags(session)),
    ...gone(
      'rule',
      [...session.addedRules.keys()].filter((rule) => !active.has(rule)).map((rule) => JSON.stringify(rule)),
    ),
    ...new Set([...session.clients].flatMap((facts) => facts())),
    ...scenarioOf(session),
    ...misspeltNames(mock),
  ]
  const fetches = mock.requests
    .all()
    .filter(({ operation, status }) => FETCHES.has(operation) && ANSWERED.includes(status))
  const fetch = fetches.at(-1)
  if (fetch !== undefined) {
    if (lacksContext(fetch)) {
      found.push(
        'The body of the SDK\'s request has no "context". Its fields belong there: { "context": { "userId": "1" } }.',
      )
    }
    const environment = tables.apiTokens.get(fetch.requestHeaders.authorization ?? '')?.environment
    const named = queryOf(fetch).get('environment')
    if (environment !== undefined && named !== null && named !== environment && tables.environments.has(named)) {
      found.push(
        `The SDK sent the environment "${named}", but gets the flags of ${environment}, as its API token says.`,
      )
    }
  }
  const sent = fetch !== undefined && FETCHES.get(fetch.operation) ? sentFields(fetch) : []
  const given = askedFlags(mock).flatMap(({ fields = [] }) => fields)
  return [...found, ...misspeltFields(new Set([...sent, ...given]), tables), ...flagAnswers(mock, fetches)]
}

/** The flags that code created in a session, and that its current world lacks after a restart or a switch. */
function goneFlags(session: Session): string[] {
  const current = session.world()
  const inOthers = [...session.worlds.values()].flatMap((world) =>
    world === current ? [] : [...world.created].filter((name) => world.data.tables.features.has(name)),
  )
  const { features } = current.data.tables
  return [...new Set([...session.discarded, ...inOthers])].filter((name) => !features.has(name))
}

function gone(what: 'flag' | 'rule', names: readonly string[]): string[] {
  if (names.length === 0) return []
  const [verb, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  const done = what === 'flag' ? 'created' : 'added'
  return [
    `${counted(names.length, what)} that the test had ${done} ${verb} gone: ${listed(names)}. useScenario and reset start the data over: ${what === 'flag' ? 'create' : 'add'} ${them} afterwards.`,
  ]
}

/** A sentence about the scenarios, unless they are the default ones: they can lack data, and delay or reject requests. */
function scenarioOf({ selection }: Session): string[] {
  const names = selection.scenarios.join(',')
  return names === DEFAULT_SCENARIO ? [] : [`The scenario is "${names}".`]
}

/** The names in a message such as: There is no feature named "x". */
const NAMED = / named "([^"]+)"/

/** A sentence about the last request that found nothing, if it nearly has the name of a flag. */
function misspeltNames(mock: MockSession): string[] {
  const last = mock.requests.all().findLast(({ status }) => status === 404)
  const message = isObject(last?.responseBody) ? String(last.responseBody.message) : ''
  const [, name] = NAMED.exec(message) ?? []
  const hint = name === undefined ? '' : meantRecord(name, namesIn(sessionOf(mock).world()))
  return hint === '' ? [] : [`There is no "${name}".${hint}`]
}

/** Whether a request has a body with fields, but without a context. */
function lacksContext({ requestBody }: JournalEntry): boolean {
  return isObject(requestBody) && Object.keys(requestBody).length > 0 && !isObject(requestBody.context)
}

/** The names of the fields of the context in a request for flags. */
function sentFields(fetch: JournalEntry): string[] {
  const { properties, ...fields } = sentContext(fetch)
  const names = Object.keys(fields).map(contextFieldIn)
  return [...new Set([...names, ...(isObject(properties) ? Object.keys(properties) : [])])]
}

/** Sentences about fields of the context that are near a known field. */
function misspeltFields(sent: ReadonlySet<string>, { contextFields }: Tables): string[] {
  const known = [...new Set([...CONTEXT_FIELDS, ...contextFields.list().map(({ name }) => name)])]
  return [...sent].flatMap((name) => {
    const hint = known.includes(name) ? '' : meantRecord(name, known)
    return hint === '' ? [] : [`The SDK sent the context field "${name}".${hint}`]
  })
}
