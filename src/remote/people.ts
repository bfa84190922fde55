import type { InventedPerson } from '../generate/people.js'
import { isObject } from '../support/json.js'

/** Replaces the people in what a service answers. Who was met once is the same person everywhere else. */
export interface People {
  /** A copy of an answer with other people in it. */
  replaceIn(value: unknown): unknown
}

export const realPeople: People = { replaceIn: (value) => value }

/** Makers that are no people: the service itself, and keys without a user. */
const PROGRAMS = new Set(
  [
    'system',
    'unleash_system_user',
    'unleash system',
    'unleash-system-user',
    'migration',
    'init-api-tokens',
    'unknown',
  ].concat(['unleash admin token user', 'unleash_admin_token', 'unleash admin token']),
)

/** Fields that hold the name of whoever did something. */
const MAKERS = ['createdBy', 'changedBy', 'updatedBy', 'createdByUsername', 'resolvedBy', 'reviewedBy']

/** Fields of a context that identify people: their values may be names. */
const IDENTIFYING = /user|mail|name|login|account|person/i

const EMAIL = /(?<![\w.%+-])[\w.%+-]+@[\w-]+\.[\w.-]+/g

type Fields = Readonly<Record<string, unknown>>

/** People as others: `invent` makes the same person for the same number. */
export class InventedPeople implements People {
  readonly #invent: (number: number) => InventedPerson
  readonly #known = new Map<string, InventedPerson>()
  #fullNames: RegExp | undefined
  #strangers = 0

  constructor(invent: (number: number) => InventedPerson) {
    this.#invent = invent
  }

  replaceIn(value: unknown): unknown {
    this.#meet(value)
    return this.#replace(value, '')
  }

  /** Finds the people in an answer first, so that they are also replaced in what comes before them. */
  #meet(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#meet(item)
    if (!isObject(value)) return
    if (this.#isPerson(value)) this.#person(value)
    for (const inner of Object.values(value)) this.#meet(inner)
  }

  /** Objects about people have a picture, a user name or an address, or nothing but their id and name. */
  #isPerson(value: Fields): boolean {
    const { id, name } = value
    if (typeof id === 'number' && id <= 0) return false
    if (PROGRAMS.has(String(name).toLowerCase())) return false
    if (['imageUrl', 'username', 'email'].some((field) => typeof value[field] === 'string')) return true
    const known = this.#known.get(`id ${id}`)
    return Object.keys(value).length === 2 && known !== undefined && known === this.#known.get(markOf(name) ?? '')
  }

  #person(given: Fields): InventedPerson {
    const { id, email, username, name } = given
    const marks = [typeof id === 'number' ? `id ${id}` : undefined, ...[email, username, name].map(markOf)]
    const found = marks.flatMap((mark) => (mark === undefined ? [] : (this.#known.get(mark) ?? [])))
    const person = found[0] ?? this.#invent(typeof id === 'number' ? id : this.#nextStranger())
    for (const mark of marks) {
      if (mark === undefined || this.#known.has(mark)) continue
      this.#known.set(mark, person)
      this.#fullNames = undefined
    }
    return person
  }

  #nextStranger(): number {
    this.#strangers--
    return this.#strangers
  }

  #replace(value: unknown, field: string): unknown {
    if (typeof value === 'string') return this.#replaceText(value, field)
    if (Array.isArray(value)) return value.map((item) => this.#replace(item, field))
    if (!isObject(value)) return value
    const person = this.#isPerson(value) ? this.#person(value) : undefined
    const inside = typeof value.contextName === 'string' && IDENTIFYING.test(value.contextName)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        person !== undefined && typeof inner === 'string' && isOwn(name)
          ? person[name]
          : this.#replace(inner, inside && /^values?$/.test(name) ? 'identifier' : name),
      ]),
    )
  }

  #replaceText(text: string, field: string): string {
    const known = this.#known.get(markOf(text) ?? '')
    if (MAKERS.includes(field) && text !== '' && !PROGRAMS.has(text.toLowerCase())) {
      const maker = known ?? this.#person(text.includes('@') ? { email: text } : { username: text })
      return text.includes('@') ? maker.email : maker.username
    }
    if (field === 'identifier' && known !== undefined) return text.includes('@') ? known.email : known.username
    const withoutMail = text.replaceAll(EMAIL, (email) => this.#person({ email }).email)
    return withoutMail.replaceAll(this.#namePattern(), (name) => this.#known.get(name.toLowerCase())?.name ?? name)
  }

  /** Full names, of more than one word: single words mean too many other things. */
  #namePattern(): RegExp {
    if (this.#fullNames === undefined) {
      const names = [...this.#known.keys()].filter((mark) => mark.includes(' ') && !mark.startsWith('id '))
      const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      const longestFirst = escaped.toSorted((one, other) => other.length - one.length)
      this.#fullNames =
        longestFirst.length === 0 ? /(?!)/g : new RegExp(`(?<!\\w)(?:${longestFirst.join('|')})(?!\\w)`, 'gi')
    }
    return this.#fullNames
  }
}

function isOwn(field: string): field is keyof InventedPerson {
  return ['name', 'username', 'email', 'imageUrl'].includes(field)
}

function markOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined
}
