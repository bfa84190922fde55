import type { InventedPerson } from '../../engine/generate/people.js'
import { isObject } from '../../support/json.js'

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

/** A run of what addresses are made of, and the domain if one follows. The whole run is read at once, so no part is read twice. */
const EMAIL = /[\p{L}\p{M}\p{N}_.%+'-]+(@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+)?/gu

/** A word, a space, or another character. */
const TOKEN = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu

/** Words, spaces and other characters of a full name up to which it is looked for in texts. */
const LONGEST_NAME = 100

type PersonFields = Readonly<Record<string, unknown>>

/** What may stand for a person, in the order in which it is looked at. */
const LOGINS = ['email', 'username', 'name'] as const

/** A person, and which of their texts somebody is known by. */
interface Acquaintance {
  person: InventedPerson
  as: (typeof LOGINS)[number]
}

/** People as others: `invent` makes the same person for the same number. */
export class InventedPeople implements People {
  readonly #invent: (number: number) => InventedPerson
  readonly #byId = new Map<number, InventedPerson>()
  readonly #byText = new Map<string, Acquaintance>()
  /** Of full names, by their first word: how many words, spaces and other characters they have. */
  readonly #lengths = new Map<string, Set<number>>()
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
  #isPerson(value: PersonFields): boolean {
    const { id, name } = value
    if (typeof id === 'number' && id <= 0) return false
    if (PROGRAMS.has(markOf(name) ?? '')) return false
    if (['imageUrl', 'username', 'email'].some((field) => typeof value[field] === 'string')) return true
    const known = this.#byId.get(Number(id))
    return Object.keys(value).length === 2 && known !== undefined && known === this.#known(name)?.person
  }

  #known(text: unknown): Acquaintance | undefined {
    return this.#byText.get(markOf(text) ?? '')
  }

  #person(given: PersonFields): InventedPerson {
    const id = typeof given.id === 'number' ? given.id : undefined
    const known = LOGINS.map((field) => this.#known(given[field])?.person).find((one) => one !== undefined)
    const person = (id !== undefined && this.#byId.get(id)) || known || this.#invent(id ?? --this.#strangers)
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, person)
    for (const as of LOGINS) {
      const mark = markOf(given[as])
      if (mark === undefined || this.#byText.has(mark)) continue
      this.#byText.set(mark, { person, as })
      if (mark.includes(' ')) this.#noteLength(mark)
    }
    return person
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
          ? this.#ownText(person, name, inner)
          : this.#replace(inner, inside && /^values?$/.test(name) ? 'identifier' : name),
      ]),
    )
  }

  /** A text of a person. Where the service shows somebody without a name, it shows the user name or the address in its place. */
  #ownText(person: InventedPerson, field: keyof InventedPerson, text: string): string {
    const known = field === 'name' ? this.#known(text) : undefined
    return text && person[known?.person === person ? known.as : field]
  }

  #replaceText(text: string, field: string): string {
    const known = this.#known(text)?.person
    if (MAKERS.includes(field) && text !== '' && !PROGRAMS.has(text.toLowerCase())) {
      const maker = known ?? this.#person(text.includes('@') ? { email: text } : { username: text })
      return text.includes('@') ? maker.email : maker.username
    }
    if (field === 'identifier' && known !== undefined) return text.includes('@') ? known.email : known.username
    const withoutMail = text.replaceAll(EMAIL, (run, domain?: string) => {
      if (domain === undefined) return run
      const email = run.replace(/^['.]+/, '')
      return run.slice(0, run.length - email.length) + this.#person({ email }).email
    })
    return this.#replaceNames(withoutMail)
  }

  #noteLength(fullName: string): void {
    const [first = '', ...others] = fullName.match(TOKEN) ?? []
    if (others.length >= LONGEST_NAME) return
    this.#lengths.set(first, (this.#lengths.get(first) ?? new Set()).add(others.length + 1))
  }

  /** Replaces full names, the longest that begins at a word. Single words mean too many other things. */
  #replaceNames(text: string): string {
    const tokens = text.match(TOKEN) ?? []
    let replaced = ''
    for (let at = 0, length = 1; at < tokens.length; at += length) {
      const token = tokens[at] ?? ''
      const known = (count: number) => this.#known(tokens.slice(at, at + count).join(''))
      const lengths = [...(this.#lengths.get(token.toLowerCase()) ?? [])].sort((one, other) => other - one)
      length = lengths.find(known) ?? 1
      replaced += length === 1 ? token : known(length)?.person.name
    }
    return replaced
  }
}

function isOwn(field: string): field is keyof InventedPerson {
  return ['name', 'username', 'email', 'imageUrl'].includes(field)
}

function markOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined
}
