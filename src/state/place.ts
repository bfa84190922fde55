import type { KindName } from '../resources/tables.js'
import type { Key } from '../store/table.js'
import { isObject, valueAt } from '../support/json-path.js'
import type { GivenRecord } from './given.js'

/** Where a record is given: in a list, or in an object by whose names records are found. */
export function pathTo(name: KindName, at: string | number | undefined): string {
  return typeof at === 'number' ? `$.${name}[${at}]` : `$.${name}.${at}`
}

/** What a given record says, and where. */
interface Place {
  place: string
  said: Key
}

/** Where a given record says something that stands at a path of the completed one; undefined if it doesn't say it. */
export function placeOf({ given }: GivenRecord, at: string, key: Key): Place | undefined {
  const path = pathOf(at)
  if (valueAt(given, path) === key) return { place: at, said: key }
  const found = search(given, key)
  return found === undefined ? undefined : { place: found, said: key }
}

/** The name by which a key was looked up: `"role": "Editor"` where the record has `role.id`. */
export function namePlace({ given }: GivenRecord, at: string): Place | undefined {
  const path = pathOf(at)
  for (let length = path.length; length > 0; length--) {
    const said = valueAt(given, path.slice(0, length))
    if (typeof said === 'string') return { place: textOf(path.slice(0, length)), said }
  }
  return undefined
}

function pathOf(at: string): string[] {
  return at.split(/[.[\]]+/).filter((part) => part !== '')
}

function textOf(path: readonly string[]): string {
  return path.reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : `${text}${text && '.'}${part}`), '')
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
