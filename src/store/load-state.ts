import type * as z from 'zod'
import { type DataFault, MockError } from '../contract/mock-errors.js'
import { environmentsInOrder } from '../resources/flags/features/rules.js'
import type { EventRecord } from '../resources/instance/events/schema.js'
import { actorOf } from '../resources/people/users/present.js'
import type { Actor } from '../resources/shared/schema.js'
import type { FixtureContext } from '../resources/shared/table.js'
import { deepFreeze, type Frozen } from '../support/freeze.js'
import type { Ids } from '../support/ids.js'
import { sentence } from '../support/sentence.js'
import { type Collections, type RecordOf, type Records, tableNames } from './collections.js'
import type { StoredEventLog } from './event-log.js'
import { findReferenceFaults } from './references.js'
import { completions, stateSchema } from './state.js'
import { describeIssue } from './state-fault.js'

export interface LoadOptions {
  now: Date
  ids: Ids
  /** Where the state comes from, for the error message: a file's name, `restore()` … */
  source: string
  /** Whether the state takes the place of all there is, or is added to it. */
  replaceAll: boolean
  /** Whether its shape was checked before, as a scenario's is when it is made known. */
  checked?: boolean
}

const FAULTS_SHOWN = 10

/**
 * Loads given state: checks it, fills in what it leaves out, and puts it in place in one step.
 * Throws a `MockError` `INVALID_STATE` that names what is wrong and where; then nothing has changed.
 */
export function loadState(collections: Collections, log: StoredEventLog, given: unknown, options: LoadOptions): void {
  const state = options.checked ? (given as GivenState) : parseState(given, options)
  const { records, events } = completeState(state, options.replaceAll ? undefined : collections, options)
  const faults = findReferenceFaults(records, events, options.replaceAll ? undefined : collections)
  if (faults.length > 0) throw invalidState(faults, options)

  const { replaceAll } = options
  for (const name of tableNames) collections[name].load(deepFreeze(records[name]) as never, { replaceAll })
  log.load(deepFreeze(events) as Frozen<EventRecord>[], { replaceAll })
}

type GivenState = z.output<typeof stateSchema>

function parseState(given: unknown, options: LoadOptions): GivenState {
  const parsed = stateSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => describeIssue(issue, given))
  throw invalidState(faults, options)
}

function completeState(
  state: GivenState,
  existing: Collections | undefined,
  { now, ids }: Pick<LoadOptions, 'now' | 'ids'>,
): { records: Records; events: EventRecord[] } {
  const environments = (state.environments ?? []).filter(({ exists }) => exists !== false).map(completions.environments)
  const known = [...(existing?.environments.values() ?? [])].filter(
    ({ name }) => !environments.some((environment) => environment.name === name),
  )
  const allEnvironments = [...known, ...environments]
  const allNames = allEnvironments.map(({ name }) => name)
  const projects: RecordOf<'projects'>[] = []
  const users: RecordOf<'users'>[] = []
  // One for all that somebody made: their picture is a hash.
  const actors = new Map<number, Actor>()
  const context: FixtureContext = {
    now,
    ids,
    environmentsOf(id) {
      const project = projects.find((candidate) => candidate.id === id) ?? existing?.projects.get(id)
      return environmentsInOrder(project?.environments ?? [], allEnvironments)
    },
    actorOf(id) {
      const known = actors.get(id)
      if (known !== undefined) return known
      const user = users.find((candidate) => candidate.id === id) ?? existing?.users.get(id)
      const actor = user === undefined ? { id, name: `User ${id}`, imageUrl: '' } : actorOf(user)
      actors.set(id, actor)
      return actor
    },
    userNamed: (name) => among(state.users, existing?.users).find((user) => user.username === name)?.id ?? 0,
    roleNamed: (name) => among(state.roles, existing?.roles).find((role) => role.name === name)?.id ?? 0,
  }
  const connected = environmentsInOrder(allNames, allEnvironments)
  for (const entry of state.projects ?? []) projects.push(completions.projects(entry, context, connected))
  for (const entry of state.users ?? []) users.push(completions.users(entry, context))

  const complete = (name: Exclude<keyof typeof completions, 'environments' | 'projects'>) => {
    const completion = completions[name] as (entry: unknown, context: FixtureContext) => unknown
    return (state[name] ?? []).map((entry) => completion(entry, context))
  }
  const records = Object.fromEntries(
    tableNames.map((name) => {
      if (name === 'environments') return [name, environments]
      if (name === 'projects') return [name, projects]
      return [name, name === 'users' ? users : complete(name)]
    }),
  )
  return { records: records as unknown as Records, events: complete('events') as EventRecord[] }
}

/** What is given, and what there is. */
function among<Given, Stored>(given: readonly Given[] = [], stored?: { values(): Iterable<Stored> }) {
  return [...given, ...(stored?.values() ?? [])]
}

function invalidState(faults: readonly DataFault[], { source }: Pick<LoadOptions, 'source'>): MockError {
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ path, message }) => `${path}: ${message}`)
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : ''
  return new MockError(
    'INVALID_STATE',
    sentence(`${source} can't be loaded: ${shown.join('; ')}${more}`),
    'Mend what is named and load it again; nothing of it was loaded.',
    faults,
  )
}
