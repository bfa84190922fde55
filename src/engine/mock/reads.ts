import { callable, expectOptions } from '../../service/contract/arguments.js'
import type { Feature, StoredFeature } from '../../service/resources/flags/features.js'
import { presentFeature } from '../../service/resources/flags/features.model.js'
import type { ServiceEvent, StoredEvent } from '../../service/resources/instance/events.js'
import type { PublicSignupToken, StoredSignupToken } from '../../service/resources/people/signup-tokens.js'
import { wholeTokenView } from '../../service/resources/people/signup-tokens.operations.js'
import { presentUser, type StoredUser, type User } from '../../service/resources/people/users.js'
import type { Project, StoredProject } from '../../service/resources/projects/projects.js'
import { presentProject } from '../../service/resources/projects/projects.operations.js'
import { storedRating } from '../../service/resources/projects/reports.model.js'
import { deepCopy } from '../../support/freeze.js'
import type { World } from '../sessions/world.js'
import type { MockCore } from './core.js'

/** Records of one kind, read for an assertion: copies, as the service shows them now. */
export interface RecordReads<Item, ItemKey, Filter = never> {
  get(key: ItemKey): Item | undefined
  list(filter?: Filter): Item[]
}

/** What can be read of a world without a request. Archived features are there too. */
export interface WorldReads {
  readonly features: RecordReads<Feature, string, { project?: string }>
  readonly signupTokens: RecordReads<PublicSignupToken, string>
  readonly users: RecordReads<User, number>
  readonly projects: RecordReads<Project, string>
  /** Newest last. */
  readonly events: RecordReads<ServiceEvent, number, { type?: string; featureName?: string }>
}

export function createReads(world: () => World, core: MockCore): WorldReads {
  const tables = () => world().data.tables
  const events = () => world().data.tables.events.list()
  const moment = () => ({ tables: tables(), now: world().clock.now(), baseUrl: core.baseUrl })
  return {
    features: reads<Feature, string, { project?: string }, StoredFeature>(
      (name) => tables().features.get(name),
      ({ project } = {}) =>
        project === undefined ? tables().features.list() : tables().features.by('project', project),
      (feature) => presentFeature(feature, tables()),
      ['project'],
    ),
    signupTokens: reads<PublicSignupToken, string, never, StoredSignupToken>(
      (secret) => tables().signupTokens.get(secret),
      () => tables().signupTokens.list(),
      (token) => wholeTokenView[core.profile.name].present(token, moment()),
    ),
    users: reads<User, number, never, StoredUser>(
      (id) => tables().users.get(id),
      () => tables().users.list(),
      presentUser,
    ),
    projects: reads<Project, string, never, StoredProject>(
      (id) => tables().projects.get(id),
      () => tables().projects.list(),
      (project) => presentProject({ project, rating: storedRating(project, moment(), core.profile) }, tables()),
    ),
    events: reads<ServiceEvent, number, { type?: string; featureName?: string }, StoredEvent>(
      (id) => events().find((event) => event.id === id),
      ({ type, featureName } = {}) =>
        events().filter(
          (event) =>
            (type === undefined || event.type === type) &&
            (featureName === undefined || event.featureName === featureName),
        ),
      (event) => event,
      ['type', 'featureName'],
    ),
  }
}

function reads<Item, ItemKey, Filter, Stored>(
  find: (key: ItemKey) => Stored | undefined,
  list: (filter?: Filter) => Stored[],
  present: (stored: Stored) => unknown,
  filters: readonly string[] = [],
): RecordReads<Item, ItemKey, Filter> {
  const copy = (stored: Stored) => deepCopy(present(stored)) as Item
  return callable({
    get(key: ItemKey) {
      const stored = find(key)
      return stored === undefined ? undefined : copy(stored)
    },
    list(filter?: Filter) {
      if (filter !== undefined) expectOptions(filter, 'list', filters)
      return list(filter).map(copy)
    },
  })
}
