import type { Feature, StoredFeature } from '../../service/resources/flags/features.js'
import { presentFeature } from '../../service/resources/flags/features.model.js'
import type { ServiceEvent, StoredEvent } from '../../service/resources/instance/events.js'
import type { PublicSignupToken, StoredSignupToken } from '../../service/resources/people/signup-tokens.js'
import { wholeTokenView } from '../../service/resources/people/signup-tokens.operations.js'
import { presentUser, type User } from '../../service/resources/people/users.js'
import type { Project, StoredProject } from '../../service/resources/projects/projects.js'
import { presentProject } from '../../service/resources/projects/projects.operations.js'
import { deepCopy, deepFreeze } from '../../support/freeze.js'
import { expectOptions, invalidArgument, withCallerStacks } from '../errors/arguments.js'
import type { World } from '../sessions/world.js'
import type { MockCore } from './core.js'

/** Records of one kind, for assertions: frozen copies, as Unleash would show them now. `add` changes records. */
export interface RecordReads<Item, ItemKey, Filter = never> {
  /**
   * The record with this key: a name, an ID or, for a signup token, its secret. Undefined if there is none. Throws
   * `INVALID_ARGUMENT` without a key, and `NOT_READY` while generated data is missing.
   */
  get(key: ItemKey): Item | undefined
  /**
   * All records, in the order in which they were given or created, or those whose fields equal the filter's. Throws
   * `INVALID_ARGUMENT` for an unknown field of the filter, and `NOT_READY` while generated data is missing.
   */
  list(filter?: Filter): Item[]
}

/** Reads of a world without a request. They include archived features. */
export interface WorldReads {
  /** By name. The filter is a project's ID. */
  readonly features: RecordReads<Feature, string, { project?: string }>
  /** Public signup links, by secret. */
  readonly signupTokens: RecordReads<PublicSignupToken, string>
  /** By ID. */
  readonly users: RecordReads<User, number>
  /** By ID. */
  readonly projects: RecordReads<Project, string>
  /** The event log, by ID, newest last. The filter is the type of an event, the name of a feature, or both. */
  readonly events: RecordReads<ServiceEvent, number, { type?: string; featureName?: string }>
}

export function createReads(world: () => World, core: () => MockCore): WorldReads {
  const tables = () => world().data.tables
  const moment = () => ({ tables: tables(), now: world().clock.now(), baseUrl: core().baseUrl })
  const events = () => tables().events.list()
  return {
    features: reads(
      () => tables().features,
      (feature: StoredFeature) => presentFeature(feature, tables()),
      ['project'],
    ),
    signupTokens: reads(
      () => tables().signupTokens,
      (token: StoredSignupToken) => wholeTokenView[core().profile.name].present(token, moment()),
    ),
    users: reads(() => tables().users, presentUser),
    projects: reads(
      () => tables().projects,
      (project: StoredProject) => presentProject(project, moment()),
    ),
    events: reads(
      () => ({ get: (id: number) => events().find((event) => event.id === id), list: events }),
      (event: StoredEvent) => event,
      ['type', 'featureName'],
    ),
  }
}

/** Reads a table. Callers can filter its records by some fields. */
function reads<Item, ItemKey, Stored extends object>(
  table: () => { get(key: ItemKey): Stored | undefined; list(): readonly Stored[] },
  present: (stored: Stored) => unknown,
  filters: readonly string[] = [],
): RecordReads<Item, ItemKey, object> {
  const copy = (stored: Stored) => deepFreeze(deepCopy(present(stored))) as Item
  return withCallerStacks({
    get(key: ItemKey) {
      if (typeof key !== 'string' && typeof key !== 'number') throw invalidArgument('get', 'the key of a record', key)
      const stored = table().get(key)
      return stored === undefined ? undefined : copy(stored)
    },
    list(filter: object = {}) {
      expectOptions(filter, 'list', filters)
      const wanted = Object.entries(filter).filter(([, value]) => value !== undefined)
      const fits = (stored: Stored) => wanted.every(([name, value]) => Reflect.get(stored, name) === value)
      return table().list().filter(fits).map(copy)
    },
  })
}
