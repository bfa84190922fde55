import { REDACTED } from '../sessions/redact.js'
import { INSPECT, inspectedBy, onScreen } from '../support/inspect.js'
import type { AnyRelation, AnyTable, FoundRecord } from './definition.js'

/** The symbols by which @msw/data knows a record. */
export interface Marks {
  key: symbol
  relations: symbol
}

export const storedRecord = Symbol('stored record')

/** A record as it is found. Under a symbol it holds the stored one that it shows. */
export interface View extends FoundRecord<object> {
  readonly [storedRecord]: object
}

type Resolve = (record: object, relation: AnyRelation) => unknown

/** @msw/data keeps the relations that it makes itself there; ours are getters. */
const noRelations = new Map()

const { __proto__: _, ...objectMethods } = Object.getOwnPropertyDescriptors(Object.prototype)

/**
 * Makes found records: frozen objects with the stored fields. A relation that takes the place of a field is a field
 * itself, so it is part of the JSON. All others are inherited, so that records that point at each other can still be sent
 * as JSON, compared and printed. @msw/data looks only into plain objects: those whose prototype has no prototype.
 */
export function viewMaker(
  name: string,
  definition: AnyTable,
  marks: Marks,
  resolve: Resolve,
): (record: object) => View {
  const getters = new Map(
    Object.entries(definition.relations).map(([name, relation]) => [name, getterOf(relation, resolve)]),
  )
  // The symbols come first, then the fields one by one, so that V8 gives all records of a table one hidden class.
  function Found(this: Record<PropertyKey, unknown>, record: object) {
    Object.defineProperty(this, storedRecord, { value: record })
    Object.defineProperty(this, marks.key, { value: String(definition.key(record)) })
    Object.defineProperty(this, marks.relations, { value: noRelations })
    for (const field of Object.keys(record)) {
      const getter = getters.get(field)
      if (getter === undefined) this[field] = record[field as keyof typeof record]
      else Object.defineProperty(this, field, getter)
    }
  }
  const inherited = Object.fromEntries([...getters].map(([name, getter]) => [name, { ...getter, enumerable: false }]))
  Found.prototype = Object.create(null, { ...objectMethods, ...inherited, [INSPECT]: printOf(name) })
  return (record) => Object.freeze(Reflect.construct(Found, [record]))
}

/** A record is printed as it is stored: relations by their keys, and without keys and passwords. */
function printOf(table: string): PropertyDescriptor {
  // The secret of a signup token is what it is known by.
  const isHidden = (field: string) => /password/i.test(field) || (field === 'secret' && table !== 'signupTokens')
  return inspectedBy<View>(({ [storedRecord]: record }, options, inspect) => {
    const fields = Object.entries(record).map(([field, value]) => [field, isHidden(field) ? REDACTED : value])
    const shown = Object.fromEntries(fields)
    return options.isAlone ? onScreen(shown, options, inspect) : inspect(shown, options)
  })
}

function getterOf(relation: AnyRelation, resolve: Resolve): PropertyDescriptor & ThisType<View> {
  return {
    enumerable: true,
    get() {
      return resolve(this[storedRecord], relation)
    },
  }
}
