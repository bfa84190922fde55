import type { DataFault } from '../contract/mock-errors.js'
import type { EventRecord } from '../resources/instance/events/schema.js'
import type { Key } from '../resources/shared/context.js'
import { show } from '../support/json-path.js'
import { type Collections, keyOf, type Records, type TableName, tableNames } from './collections.js'
import { danglingReference } from './state-fault.js'

/** Every key that is given twice, and everything that points at what does not exist. */
export function findReferenceFaults(
  records: Records,
  events: readonly EventRecord[],
  existing: Collections | undefined,
): DataFault[] {
  const faults: DataFault[] = []
  const given = new Map<TableName, Set<Key>>()
  for (const name of tableNames) {
    const keys = records[name].map((record) => keyOf(name, record))
    faults.push(...duplicates(name, keys))
    given.set(name, new Set(keys))
  }
  faults.push(
    ...duplicates(
      'events',
      events.map(({ id }) => id),
    ),
  )

  const check = (path: string, table: TableName, what: string, key: Key) => {
    if (given.get(table)?.has(key) || existing?.[table].has(key)) return
    const known = [...(given.get(table) ?? []), ...[...(existing?.[table].values() ?? [])].map((r) => keyOf(table, r))]
    faults.push(danglingReference(path, what, key, known))
  }
  checkAll(records, check)
  for (const [i, { environments }] of records.features.entries()) {
    const names = environments.map(({ name }) => name)
    faults.push(...duplicates(`features[${i}].environments`, names))
  }
  return faults
}

type Check = (path: string, table: TableName, what: string, key: Key) => void

function checkAll(records: Records, check: Check): void {
  for (const [i, project] of records.projects.entries()) {
    for (const [j, name] of project.environments.entries()) {
      check(`$.projects[${i}].environments[${j}]`, 'environments', 'an environment', name)
    }
  }
  for (const [i, project] of records.projects.entries()) {
    for (const [j, member] of project.members.entries()) {
      check(`$.projects[${i}].members[${j}].id`, 'users', 'the id of a user', member.id)
      check(`$.projects[${i}].members[${j}].role`, 'roles', 'the id of a role', member.role)
    }
  }
  for (const list of ['logins', 'resetTokens'] as const) {
    for (const [i, { userId }] of records[list].entries()) {
      check(`$.${list}[${i}].userId`, 'users', 'the id of a user', userId)
    }
  }
  for (const [i, { rootRole }] of records.users.entries()) {
    check(`$.users[${i}].rootRole`, 'roles', 'the id of a role', rootRole)
  }
  for (const [i, { userId }] of records.apiTokens.entries()) {
    if (userId !== null) check(`$.apiTokens[${i}].userId`, 'users', 'the id of a user', userId)
  }
  for (const [i, feature] of records.features.entries()) {
    check(`$.features[${i}].project`, 'projects', 'a project', feature.project)
    for (const [j, { name }] of feature.environments.entries()) {
      check(`$.features[${i}].environments[${j}].name`, 'environments', 'an environment', name)
    }
    for (const [j, dependency] of feature.dependencies.entries()) {
      check(`$.features[${i}].dependencies[${j}].feature`, 'features', 'a parent feature', dependency.feature)
    }
  }
  for (const [i, { type }] of records.tags.entries()) {
    check(`$.tags[${i}].type`, 'tagTypes', 'a type of tags', type)
  }
  for (const list of ['segments', 'contextFields'] as const) {
    for (const [i, { project }] of records[list].entries()) {
      if (project !== null) check(`$.${list}[${i}].project`, 'projects', 'a project', project)
    }
  }
  for (const [i, { kind, name }] of records.favorites.entries()) {
    check(`$.favorites[${i}].name`, `${kind}s`, `a ${kind}`, name)
  }
  for (const [i, token] of records.signupTokens.entries()) {
    check(`$.signupTokens[${i}].role.id`, 'roles', 'the id of a role', token.role.id)
    for (const [j, { id }] of token.users.entries()) {
      check(`$.signupTokens[${i}].users[${j}].id`, 'users', 'the id of a user', id)
    }
  }
}

function duplicates(list: string, keys: readonly Key[]): DataFault[] {
  const seen = new Map<Key, number>()
  const faults: DataFault[] = []
  for (const [position, key] of keys.entries()) {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, position)
    else faults.push({ path: `$.${list}[${position}]`, message: `${show(key)} is given already, at [${first}]` })
  }
  return faults
}
