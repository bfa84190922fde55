import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import type { EnvironmentRecord } from './schema.js'

/** The environments that lists show, in their order: those in which users can have permissions. */
export function listedEnvironments(tables: Tables, { users }: Pick<Profile, 'users'>): Frozen<EnvironmentRecord>[] {
  return tables.environments
    .list()
    .filter(({ name }) => users.environments === undefined || users.environments.includes(name))
    .toSorted((one, other) => one.sortOrder - other.sortOrder)
}
