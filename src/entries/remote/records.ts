import * as z from 'zod'
import { createMock } from '../../engine/mock/mock.js'
import { loadOrder } from '../../engine/state/load-state.js'
import type { PartialState } from '../../engine/state/partial-state.js'
import { fieldsOf, GONE, withoutReference } from '../../engine/state/removal.js'
import { stateSchema } from '../../engine/state/state.js'
import { checkGiven } from '../../engine/state/state-fault.js'
import { MockError } from '../../service/contract/mock-errors.js'
import { VIEWER } from '../../service/resources/people/roles.js'
import type { AnyTableDefinition, Known, Reference } from '../../service/resources/shared/table.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import type { Key } from '../../service/store/table.js'
import { createClock } from '../../support/clock.js'
import { createIds } from '../../support/ids.js'
import { isObject } from '../../support/json.js'
import { printable } from '../../support/text.js'

export type Fields = Readonly<Record<string, unknown>>

/** What stands where a record of the service would otherwise take over fields of a built-in one with its id. */
const DEFAULTS: Readonly<Partial<Record<TableName, Fields>>> = {
  users: { name: null, username: null, email: null, password: '', rootRole: VIEWER },
}

/** Times that what is left is tried, before a kind with faults is left out whole. */
const MOST_TRIES = 20

/** Records as a service has them. What doesn't fit, or points at what isn't there, is left out, and noted. */
export class PulledRecords {
  /** What is missing, in words. */
  readonly missed: string[] = []
  readonly #lists: Partial<Record<TableName, Fields[]>> = {}
  readonly #keys: Partial<Record<TableName, Set<Key>>> = {}
  readonly #context = { now: createClock().now(), ids: createIds() }

  /** Notes that something is missing. */
  miss(what: string, why: string): void {
    this.missed.push(printable(`${what}: ${why}`))
  }

  /** The records of a kind. */
  list(kind: TableName): readonly Fields[] {
    return this.#lists[kind] ?? []
  }

  has(kind: TableName, key: Key): boolean {
    return this.#keys[kind]?.has(key) ?? false
  }

  /** How many of each kind there are. */
  counts(): (readonly [kind: string, count: number])[] {
    return Object.entries(this.#lists).map(([kind, list]) => [kind, list.length] as const)
  }

  /** Keeps of records what a state can hold. Of two with one key, the first one counts. */
  add(kind: TableName, records: readonly Fields[]): void {
    const { record, fixture, key, givenKey = key }: AnyTableDefinition = tables[kind]
    this.#lists[kind] ??= []
    this.#keys[kind] ??= new Set()
    for (const one of records) {
      const fitting = { ...DEFAULTS[kind], ...(prune(record, one) as object) }
      const checked = checkGiven(fixture, fitting)
      if (!checked.ok) {
        this.miss(`${kind} ${nameOf(one)}`, `${checked.faults[0]?.path} ${checked.faults[0]?.message}`)
        continue
      }
      const known = givenKey(fitting, this.#context)
      if (this.#keys[kind].has(known)) continue
      this.#keys[kind].add(known)
      this.#lists[kind].push(fitting)
    }
  }

  /** Sorts the records of a kind by their names: a file that is made again should only differ in what has changed. */
  sort(kind: TableName): void {
    this.#lists[kind]?.sort((one, other) => nameOf(one).localeCompare(nameOf(other)))
  }

  /** The state, tried out: without what would not hold together. */
  state(): PartialState {
    while (this.#leaveOutDangling() > 0) {}
    for (let tries = 1; ; tries++) {
      const checked = checkGiven(stateSchema, this.#lists)
      if (!checked.ok) throw new Error(checked.faults.map(({ path, message }) => `${path} ${message}`).join('; '))
      const state: PartialState = { version: 1, ...checked.data }
      try {
        createMock({ scenario: 'empty', fixtures: state })
        return state
      } catch (error) {
        if (!(error instanceof MockError) || error.faults.length === 0) throw error
        this.#leaveOutFaulty(error, tries > MOST_TRIES)
      }
    }
  }

  /** Leaves out the records in which a mock found faults, or all of their kinds. */
  #leaveOutFaulty(error: MockError, wholeKinds: boolean): void {
    for (const kind of Object.keys(this.#lists) as TableName[]) {
      const places = new Map(
        error.faults.flatMap(({ path, message }) => {
          const [, found, at] = /^\$\.(\w+)(?:\[(\d+)\])?/.exec(path) ?? []
          return found === kind ? [[at, message] as const] : []
        }),
      )
      if (places.size === 0) continue
      this.#lists[kind] = this.list(kind).filter((one, at) => {
        const fault = places.get(String(at))
        if (fault !== undefined) this.miss(`${kind} ${nameOf(one)}`, fault)
        return fault === undefined && !wholeKinds && !places.has(undefined)
      })
    }
  }

  /**
   * Leaves out what points at records that aren't there: an entry of a list alone, a field that has a default, or the whole
   * record. Returns how much that was, because others may point at it in turn.
   */
  #leaveOutDangling(): number {
    const kinds = this.#completed()
    let count = 0
    for (const [kind, list] of Object.entries(this.#lists) as [TableName, Fields[]][]) {
      const { references = () => [] }: AnyTableDefinition = tables[kind]
      this.#lists[kind] = list.flatMap((given, i) => {
        const stored = kinds.get(kind)?.stored[i]
        const dangling = stored ? [...references(stored)].filter(({ to, key }) => !kinds.get(to)?.get(key)) : []
        if (dangling.length === 0) return [given]
        count += dangling.length
        for (const { to, key, at } of dangling) {
          this.miss(
            `${kind} ${nameOf(given)}`,
            `its ${fieldsOf(at).join('.')} is ${key}, which is not among the ${to} taken`,
          )
        }
        const left = dangling.reduce<unknown>((one, reference) => without(kind, one, reference), given)
        return isObject(left) ? [left] : []
      })
    }
    return count
  }

  /** What a mock with these records will hold, by kind. Those of a kind that was taken come first, in their order. */
  #completed(): Map<string, KnownKind> {
    const builtIn = createMock({ scenario: 'empty' }).state()
    const kinds = new Map<string, KnownKind>()
    for (const kind of loadOrder) {
      const { complete, key }: AnyTableDefinition = tables[kind]
      const given = this.#lists[kind]
      const stored = given?.map((one) => complete(one, { ...this.#context, ...Object.fromEntries(kinds) })) ?? []
      const all = [...stored, ...(given === undefined || kind === 'roles' ? builtIn[kind] : [])]
      const byKey = new Map(all.map((one) => [key(one), one]))
      kinds.set(kind, { stored, get: (wanted) => byKey.get(wanted), list: () => all })
    }
    return kinds
  }
}

interface KnownKind extends Known<object> {
  /** The taken records, as they will be stored. */
  stored: readonly object[]
}

/** A given record without what points at something. */
function without(kind: TableName, given: unknown, reference: Reference): unknown {
  const left = withoutReference(given, reference)
  const [field = ''] = fieldsOf(reference.at)
  // What belongs to a project would be everybody's without it.
  if (left !== GONE || field === 'project' || !isObject(given)) return left
  const { [field]: _, ...others } = given
  const withDefault = { ...DEFAULTS[kind], ...others }
  return checkGiven<unknown>(tables[kind].fixture, withDefault).ok ? withDefault : GONE
}

export function nameOf({ name, id }: Fields): string {
  const found = name ?? id
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

/**
 * What of a value has the shape of a schema: properties that it doesn't know, and values of another kind, are left out.
 * So a record can be read from the responses of services that are older or newer. Undefined if nothing fits.
 */
function prune(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined) return undefined
  if (schema instanceof z.ZodOptional) return value === null ? undefined : prune(schema.def.innerType, value)
  if (schema instanceof z.ZodNullable) return value === null ? null : prune(schema.def.innerType, value)
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return undefined
    return value.map((item) => prune(schema.def.element, item)).filter((item) => item !== undefined)
  }
  if (schema instanceof z.ZodObject) {
    if (!isObject(value)) return undefined
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, prune(field, value[name])])
    return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined))
  }
  return z.safeParse(schema, value).success ? value : undefined
}
