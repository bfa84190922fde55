import { PROTO, show } from '../../support/json.js'
import { Listeners } from '../../support/listeners.js'
import { MockError } from '../errors/mock-errors.js'
import { LONGEST_NAME } from '../scenarios/scenario.js'
import { CommonLimit } from './common-limit.js'
import { EventReaders } from './event-readers.js'
import { ALL_CHANGES_KEPT } from './history.js'
import { ALL_CHARACTERS_KEPT } from './journal.js'
import { Session, type SessionOptions } from './session.js'

/** The maximum sessions of an instance. It drops the longest idle first. */
export const SESSIONS_KEPT = 1000

/** The name of the session for requests that name none. */
export const UNNAMED = ''

/** Fixture and scenario files, or the state file. */
type FilePurpose = 'sources' | 'state'

/** The sessions of an instance, each created on first use. The unnamed one always exists. */
export class Sessions {
  readonly unnamed: Session
  readonly options: SessionOptions
  readonly eventReaders: EventReaders
  /** Notices about the mock's files, by their purpose. */
  readonly fileNotices = new Map<FilePurpose, string>()
  readonly #limits = { journals: new CommonLimit(ALL_CHARACTERS_KEPT), histories: new CommonLimit(ALL_CHANGES_KEPT) }
  readonly #named = new Map<string, Session>()
  readonly #observers = new Listeners<[session: Session]>()

  constructor(options: SessionOptions) {
    this.options = options
    this.unnamed = new Session(UNNAMED, options, this.#limits)
    this.eventReaders = new EventReaders(this)
  }

  /** Sets or ends the notice about files, and notifies all listeners. */
  setFileNotice(purpose: FilePurpose, notice: string | undefined): void {
    if (notice === this.fileNotices.get(purpose)) return
    if (notice === undefined) this.fileNotices.delete(purpose)
    else this.fileNotices.set(purpose, notice)
    for (const session of this.all()) session.tellSwitch()
  }

  open(name: string): Session {
    if (name === UNNAMED) return this.unnamed
    const session = this.#named.get(name) ?? this.#start(expectSessionName(name))
    this.#named.delete(name)
    this.#named.set(name, session)
    return session
  }

  has(name: string): boolean {
    return name === UNNAMED || this.#named.has(name)
  }

  /** All sessions, the unnamed one first, then the longest idle. */
  all(): Session[] {
    return [this.unnamed, ...this.#named.values()]
  }

  /** Notices for users about the sessions' scenarios. */
  notices(): string[] {
    const of = ({ name }: Session) => (name === UNNAMED ? '' : `The session "${name}": `)
    return this.all().flatMap((session) => (session.notice === undefined ? [] : `${of(session)}${session.notice}`))
  }

  /** Ends all waits for requests, in any session. */
  endWaits(): void {
    for (const { journal } of this.all()) journal.endWaits()
  }

  /** Drops all sessions and resets the unnamed one. */
  dispose(): void {
    // Saved state outlives the instance.
    this.options.persistence = undefined
    this.options.catalogue.saved.onChange(() => undefined)
    this.eventReaders.endAll()
    for (const session of this.#named.values()) this.#drop(session)
    this.#observers.clear()
    this.unnamed.reset()
    this.unnamed.forgetHistory()
  }

  /** Calls a listener for each session, now and in the future. Returns a function that unsubscribes. */
  observe(observer: (session: Session) => void): () => void {
    for (const session of this.all()) observer(session)
    return this.#observers.add(observer)
  }

  #start(name: string): Session {
    const session = new Session(name, this.options, this.#limits)
    if (this.#named.size >= SESSIONS_KEPT) this.#dropOldest()
    this.#observers.notify(session)
    return session
  }

  /** Drops the longest idle session; those without changes go first. */
  #dropOldest(): void {
    const named = [...this.#named.values()]
    const oldest = named.find((session) => !session.isChanged) ?? named[0]
    if (oldest !== undefined) this.#drop(oldest)
  }

  #drop(session: Session): void {
    this.#named.delete(session.name)
    session.journal.clear()
    session.journal.endWaits()
    session.forgetHistory()
    this.options.coverage.close(session.name)
  }
}

/** Throws `INVALID_REQUEST` for a name that can't be saved, or is too long for headers, cookies and titles. */
export function expectSessionName(name: string): string {
  if (name === PROTO) {
    throw new MockError('INVALID_REQUEST', `A session can't have the name "${PROTO}".`, 'Use another name.')
  }
  if (name.length <= LONGEST_NAME) return name
  throw new MockError(
    'INVALID_REQUEST',
    `The name of a session has at most ${LONGEST_NAME} characters; ${show(name)} has ${name.length}.`,
    'Use a shorter name.',
  )
}

/** A session's name in a sentence. */
export function described({ name }: Session): string {
  return name === UNNAMED ? 'the shared session' : `the session "${name}"`
}
