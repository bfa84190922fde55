import { MockError } from '../errors/mock-errors.js'
import type { Scenario } from './scenario.js'

/** The maximum saved scenarios of a mock. */
export const SCENARIOS_SAVED = 100

/** A scenario created from a world, or added from a file. */
export interface SavedScenario {
  scenario: Scenario
  /** The name of the session that saved it. The session removes it at its end. */
  session: string
}

/** The saved scenarios of a mock, by name. Beyond the maximum, it drops the oldest that no session needs. */
export class SavedScenarios {
  readonly #saved = new Map<string, SavedScenario>()
  #isNeeded: (name: string, notBy?: string) => boolean = () => false
  #changed: () => void = () => undefined

  /** Sets the function that tells whether any session, or any but one, needs a scenario. */
  neededBy(isNeeded: (name: string, notBy?: string) => boolean): void {
    this.#isNeeded = isNeeded
  }

  /** Calls a function after each change. */
  onChange(changed: () => void): void {
    this.#changed = changed
  }

  get(name: string): SavedScenario | undefined {
    return this.#saved.get(name)
  }

  all(): Scenario[] {
    return this.of(() => true)
  }

  /** The scenarios saved by some sessions. */
  of(hasSaved: (session: string) => boolean): Scenario[] {
    return [...this.#saved.values()].flatMap(({ scenario, session }) => (hasSaved(session) ? [scenario] : []))
  }

  /** Throws `TOO_MUCH_DATA` at the maximum, if sessions need all of them. */
  add(saved: SavedScenario): void {
    if (this.#saved.size >= SCENARIOS_SAVED && !this.#saved.has(saved.scenario.name)) this.#evictOldest()
    this.#saved.set(saved.scenario.name, saved)
    this.#changed()
  }

  /** Whether another saved scenario extends it. */
  isExtended(name: string): boolean {
    return this.all().some((scenario) => scenario.extends === name)
  }

  remove(name: string): void {
    if (this.#saved.delete(name)) this.#changed()
  }

  /** Removes the scenarios that a session has saved, except for those that others need. */
  removeOf(session: string): void {
    for (const [name, saved] of this.#saved) {
      if (saved.session !== session) continue
      if (!this.#isNeeded(name, session) && !this.isExtended(name)) this.remove(name)
    }
  }

  #evictOldest(): void {
    const unneeded = [...this.#saved.keys()].find((name) => !this.#isNeeded(name) && !this.isExtended(name))
    if (unneeded !== undefined) {
      this.remove(unneeded)
      return
    }
    throw new MockError(
      'TOO_MUCH_DATA',
      `A mock keeps at most ${SCENARIOS_SAVED} saved scenarios, and all of them are in use.`,
      'Remove one with DELETE /__mock/scenarios/NAME, once its sessions are switched to others.',
    )
  }
}
