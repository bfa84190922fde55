import type { KindName } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import { isObject, valueAt } from '../support/json-path.js'
import type { GivenRecord } from './given.js'

/** Where a record is given: in a list, or in an object by whose names records are found. */
export function pathTo(name: KindName, at: string | number | undefined): string {
  return typeof at === 'number' ? `$.${name}[${at}]` : `$.${name}.${at}`
}

/** Where a given record says something that stands at a path of the completed one; undefined if it doesn't say it. */
export function placeOf({ given }: GivenRecord, at: string, key: Key): string | undefined {
  const path = at.split(/[.[\]]+/).filter((part) => part !== '')
  return valueAt(given, path) === key ? at : search(given, key)
}

function search(value: unknown, wanted: Key): string | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `.${name}`
    if (inner === wanted || name === wanted) return step.replace(/^\./, '')
    const rest = search(inner, wanted)
    if (rest !== undefined) return `${step}${rest.startsWith('[') ? '' : '.'}${rest}`.replace(/^\./, '')
  }
  return undefined
}
