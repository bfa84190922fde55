import { actorOf } from '../../people/users/rules.js'
import type { Tables } from '../../shared/context.js'

/**
 * The users who made flags that are not archived, by name. With a text only those whose name contains it, or whose
 * username or e-mail begins with it.
 */
export function flagMakers({ users, features }: Tables, text = ''): { id: number; name: string }[] {
  const sought = text.trim().toLowerCase()
  const active = features.list().filter(({ archived }) => !archived)
  const ids = new Set(active.map(({ createdBy }) => createdBy.id))
  return users
    .list()
    .filter(
      ({ id, name, username, email }) =>
        ids.has(id) &&
        (name?.toLowerCase().includes(sought) ||
          [username, email].some((login) => login?.toLowerCase().startsWith(sought))),
    )
    .map((user) => ({ id: user.id, name: actorOf(user).name }))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.id - other.id)
}
