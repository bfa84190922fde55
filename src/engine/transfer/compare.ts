import { isObject } from '../../support/json.js'
import { grouped } from '../../support/lists.js'

/** Where two answers differ. A side that has nothing there is undefined. */
export interface Difference {
  /** The place in the JSON: `$.features[0].stale`. */
  at: string
  theirs: unknown
  ours: unknown
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Properties by which the items of a list are known, the first one that tells them apart. */
const NAMES = ['id', 'name', 'value', 'environment', 'featureName', 'feature', 'type', 'project']

/**
 * Where an answer differs from the one it is held against: in structure or in values. Times count by kind, and lists as
 * sets. Properties in `ignored` are left out wherever they are.
 */
export function compare(theirs: unknown, ours: unknown, ignored: ReadonlySet<string>): Difference[] {
  return [...differences('$', theirs, ours, ignored)]
}

function* differences(at: string, theirs: unknown, ours: unknown, ignored: ReadonlySet<string>): Generator<Difference> {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    yield* ofLists(at, theirs, ours, ignored)
  } else if (isObject(theirs) && isObject(ours)) {
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      if (!ignored.has(name)) yield* differences(`${at}.${name}`, theirs[name], ours[name], ignored)
    }
  } else if (theirs !== ours && !(isInstant(theirs) && isInstant(ours))) {
    yield { at, theirs, ours }
  }
}

function* ofLists(
  at: string,
  theirs: readonly unknown[],
  ours: readonly unknown[],
  ignored: ReadonlySet<string>,
): Generator<Difference> {
  const keyOf = keyFor([theirs, ours], ignored)
  const rest = grouped(ours, keyOf)
  for (const [i, item] of theirs.entries()) {
    yield* differences(`${at}[${i}]`, item, rest.get(keyOf(item))?.shift(), ignored)
  }
  for (const item of [...rest.values()].flat()) yield { at: `${at}[]`, theirs: undefined, ours: item }
}

/** What tells items apart in both lists. Items that nothing tells apart are the same if all that counts of them is. */
function keyFor(lists: (readonly unknown[])[], ignored: ReadonlySet<string>): (item: unknown) => string {
  const tellsApart = (name: string) =>
    lists.every((list) => {
      const values = list.map((item) => (isObject(item) ? item[name] : undefined))
      return values.every((value) => value !== undefined && value !== null) && new Set(values).size === values.length
    })
  const name = NAMES.filter((one) => !ignored.has(one)).find(tellsApart)
  return (item) => (name !== undefined && isObject(item) ? String(item[name]) : textOf(item, ignored))
}

/** A text of all that counts in a value, whatever the order of its properties. Of a time, only that it is one. */
function textOf(value: unknown, ignored: ReadonlySet<string>): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (!isObject(inner)) return isInstant(inner) ? 'an instant' : inner
      const counting = Object.entries(inner).filter(([name]) => !ignored.has(name))
      return Object.fromEntries(counting.sort(([one], [other]) => (one < other ? -1 : 1)))
    }) ?? ''
  )
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value))
}
