import type { DataFault } from '../../service/resources/shared/table.js'
import { isObject, show } from '../../support/json.js'
import { counted, FAULTS_TOLD, LISTED } from '../../support/text.js'
import { faultOf, type MockError } from '../errors/mock-errors.js'
import type { State } from '../state/state.js'
import { inCurrentForm } from './older-forms.js'
import { listsNotRead, readContent, type ServiceState } from './read-file.js'
import { type Format, formatOf } from './service-file.js'

/** An Unleash file that has been loaded. */
export interface LoadedFile {
  /** The contents of the file, and the records created for it, in words. */
  contents: readonly string[]
  /** One line about its lists and flags that were left out. Empty without any. */
  leftOut: readonly string[]
}

interface Loader {
  /** The records of the world. */
  known(): State
  /** Loads seed data made from the file. Throws a `MockError` with the places in the file, and changes nothing, if it is invalid. */
  load(file: Pick<ServiceState, 'state' | 'locate'>, leftOut: readonly string[]): void
  /** The error for the file as a whole. */
  fail(faults: readonly DataFault[]): MockError
}

/**
 * Loads a value that is an Unleash file, as SDKs read it: flags that can't be loaded are left out, and the others are loaded.
 * Throws the error of the file if anything else is wrong with it, or if nothing remains. Undefined for other values.
 */
export function loadServiceFile(given: unknown, { known, load, fail }: Loader): LoadedFile | undefined {
  const format = formatOf(given)
  if (format === undefined) return undefined
  const { content, locate } = inCurrentForm(given)
  const part = new SoundPart(content)
  const state = known()
  for (;;) {
    const sound = part.content()
    const file = readContent(format, sound, state)
    const located = (path: string) => locate(part.locate(path))
    const leftOut = describeLeftOut(format, content, part)
    const error =
      file.faults.length > 0
        ? fail(file.faults.map(({ path, message }) => ({ path: located(path), message })))
        : faultOf(() => load({ state: file.state, locate: (path) => located(file.locate(path)) }, leftOut))
    if (error === undefined) return { contents: file.contents, leftOut }
    if (!part.leaveOut(error.faults)) throw error
  }
}

/** `left out: strategies (1), the flag "b" (dependencies: lead in a circle: b → c → b)` */
function describeLeftOut(format: Format, content: unknown, { reasons }: SoundPart): string[] {
  const flags = [...reasons].slice(0, LISTED).map(([flag, reason]) => `the flag ${flag} (${reason})`)
  const more = reasons.size - flags.length
  const parts = [...listsNotRead(format, content), ...flags, ...(more > 0 ? [counted(more, 'further flag')] : [])]
  return parts.length === 0 ? [] : [`left out: ${parts.join(', ')}`]
}

/** The lists in files whose items are or belong to a flag, with the fields that name it. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  features: ['name'],
  toggles: ['name'],
  featureStrategies: ['featureName'],
  featureEnvironments: ['featureName', 'name'],
  featureTags: ['featureName'],
  dependencies: ['feature'],
  links: ['feature'],
}

/** The place of an item in a list, or in the file itself if it is a list. */
const PLACE = /^\$(?:\.data)?(?:\.(\w+))?\[(\d+)\]/

/** The part of an Unleash file that can be loaded. It has all flags until some are left out. */
class SoundPart {
  /** The flags that are left out, with the reasons. */
  readonly reasons = new Map<string, string>()
  readonly #content: unknown
  readonly #main: 'features' | 'toggles'
  /** The names of the flags, in the order of the file. */
  readonly #flags: readonly (string | undefined)[]
  /** The places of flags that are left out. */
  readonly #leftOut = new Set<number>()
  /** The original places of the remaining items, by list. */
  #kept: Readonly<Record<string, readonly number[]>> = {}

  constructor(content: unknown) {
    this.#content = content
    this.#main = isObject(content) && Array.isArray(content.toggles) ? 'toggles' : 'features'
    this.#flags = this.#items(this.#main).map((flag) => nameOf(this.#main, flag))
    // SDKs keep flags by name, so the last one counts.
    const last = new Map(this.#flags.map((name, at) => [name, at]))
    for (const [at, name] of this.#flags.entries()) {
      if (name === undefined || last.get(name) === at) continue
      this.#leftOut.add(at)
      this.reasons.set(show(name), 'is in the file twice: the last one counts')
    }
  }

  content(): unknown {
    if (this.#leftOut.size === 0 || !isObject(this.#content)) return this.#content
    const gone = this.#flags.filter((_, at) => this.#leftOut.has(at))
    const remaining = new Set(this.#flags.filter((_, at) => !this.#leftOut.has(at)))
    const goneNames = new Set(gone.filter((name) => !remaining.has(name)))
    const lists = Object.keys(LISTS).flatMap((list) => {
      const items = this.#items(list)
      const isGone = (item: unknown, at: number) =>
        list === this.#main ? this.#leftOut.has(at) : goneNames.has(nameOf(list, item))
      const kept = items.flatMap((item, at) => (isGone(item, at) ? [] : [at]))
      return items.length === 0 ? [] : [{ list, kept, items: kept.map((at) => items[at]) }]
    })
    this.#kept = Object.fromEntries(lists.map(({ list, kept }) => [list, kept]))
    return { ...this.#content, ...Object.fromEntries(lists.map(({ list, items }) => [list, items])) }
  }

  /** The place in the whole file for a place in the content. */
  locate(path: string): string {
    return path.replace(/^\$\.(\w+)\[(\d+)\]/, (whole, list: string, at: string) => {
      const place = this.#kept[list]?.[Number(at)]
      return place === undefined ? whole : `$.${list}[${place}]`
    })
  }

  /** Leaves out the flags with these errors. False if an error isn't of a flag, or if no flag would remain. */
  leaveOut(faults: readonly DataFault[]): boolean {
    const before = this.#leftOut.size
    for (const { path, message } of faults) {
      const [start = '', list = this.#main, at = ''] = PLACE.exec(path) ?? []
      const name = nameOf(list, this.#items(list)[Number(at)])
      const isFlag = start !== '' && list === this.#main
      const places = isFlag ? [Number(at)] : this.#placesOf(name)
      if (places.length === 0) return false
      const rest = isFlag ? path.slice(start.length + 1) : path.slice('$.'.length)
      const flag = name === undefined ? `at ${list}[${at}]` : `"${name}"`
      if (!this.reasons.has(flag)) this.reasons.set(flag, rest === '' ? message : `${rest}: ${message}`)
      for (const place of places) this.#leftOut.add(place)
    }
    const { size } = this.#leftOut
    return size > before && size < FAULTS_TOLD && size < this.#flags.length
  }

  #placesOf(flag: string | undefined): number[] {
    return this.#flags.flatMap((name, at) => (name !== undefined && name === flag ? [at] : []))
  }

  #items(list: string): readonly unknown[] {
    const items = isObject(this.#content) && Object.hasOwn(LISTS, list) ? this.#content[list] : undefined
    return Array.isArray(items) ? items : []
  }
}

function nameOf(list: string, item: unknown): string | undefined {
  if (!isObject(item)) return undefined
  return LISTS[list]?.map((field) => item[field]).find((name) => typeof name === 'string')
}
