import { MockError } from '../errors/mock-errors.js'
import type { Scenario } from './scenario.js'

/** The maximum saved scenarios of a mock. */
export const SCENARIOS_SAVED = 100

/** A scenario created from a world, or added from a file. */
export interface SavedScenario {
  scenario: Scenario
  /** The name of the session that saved it. */
  session: string
}

/** The saved scenarios of a mock, by name. */
export class SavedScenarios {
  readonly #saved = new Map<string, SavedScenario>()
  #changed: () => void = () => undefined

  /** Calls a function after each change. */
  onChange(changed: () => void): void {
    this.#changed = changed
  }

  get(name: string): SavedScenario | undefined {
    return this.#saved.get(name)
  }

  all(): Scenario[] {
    return this.savedBy(() => true)
  }

  /** The scenarios saved by some sessions. */
  savedBy(hasSaved: (session: string) => boolean): Scenario[] {
    return [...this.#saved.values()].flatMap(({ scenario, session }) => (hasSaved(session) ? [scenario] : []))
  }

  /** Throws `TOO_MUCH_DATA` at the maximum. */
  add(saved: SavedScenario): void {
    const { name } = saved.scenario
    if (this.#saved.size >= SCENARIOS_SAVED && !this.#saved.has(name)) {
      const problem = `A mock keeps at most ${SCENARIOS_SAVED} saved scenarios.`
      throw new MockError('TOO_MUCH_DATA', problem, 'Remove one with DELETE /__mock/scenarios/NAME.')
    }
    this.#saved.set(name, saved)
    this.#changed()
  }

  remove(name: string): void {
    if (this.#saved.delete(name)) this.#changed()
  }
}
