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
  get(key: ItemKey): Item | undefined
  list(filter?: Filter): Item[]
}

/** Reads of a world without a request. They include archived features. */
export interface WorldReads {
  readonly features: RecordReads<Feature, string, { project?: string }>
  readonly signupTokens: RecordReads<PublicSignupToken, string>
  readonly users: RecordReads<User, number>
  readonly projects: RecordReads<Project, string>
  /** Newest last. */
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
      if (key === undefined) throw invalidArgument('get', 'the key of a record', key)
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
