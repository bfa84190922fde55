import type { Frozen } from '../../../support/freeze.js'
import { mentions } from '../../../support/text-query.js'
import type { ClientInstanceRecord } from '../client-instances/schema.js'
import type { ApplicationsQuery } from './schema.js'

type Instance = Frozen<ClientInstanceRecord>

/**
 * The applications with their SDKs, sorted by name; `noted` ones may have none. With a query, only the SDKs for which one
 * of its texts occurs in one of the places.
 */
export function applicationsOf(
  instances: readonly Instance[],
  { query = '', sortOrder }: ApplicationsQuery,
  placesOf: (instance: Instance) => readonly (string | null)[],
  noted: readonly string[] = [],
): [appName: string, instances: Instance[]][] {
  const found = instances.filter((instance) => mentions(query, placesOf(instance)))
  const direction = sortOrder === 'desc' ? -1 : 1
  const byName = new Map(
    noted.filter((name) => mentions(query, [name])).map((name): [string, Instance[]] => [name, []]),
  )
  for (const instance of found) byName.set(instance.appName, [...(byName.get(instance.appName) ?? []), instance])
  return [...byName].toSorted(([one], [other]) => one.localeCompare(other) * direction)
}
