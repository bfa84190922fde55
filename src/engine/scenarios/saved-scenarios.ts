import { MockError } from '../../service/contract/mock-errors.js'
import type { Scenario } from './scenario.js'

/** Scenarios that a mock keeps besides those that it was given. */
export const SCENARIOS_SAVED = 100

/** A scenario that was made from a world, or added from a file. */
export interface SavedScenario {
  scenario: Scenario
  /** The name of the session that saved it. It goes with the session. */
  session: string
}

/** Keeps saved scenarios for the next start. */
export interface ScenarioKeeper {
  savedScenarios(): Iterable<SavedScenario>
  /** If it throws, the scenario is not saved. */
  scenarioSaved(saved: SavedScenario): void
  scenarioForgotten(name: string): void
}

/** The scenarios that were saved in a mock, by name. Beyond their limit, the oldest one that no session needs goes. */
export class SavedScenarios {
  readonly #saved = new Map<string, SavedScenario>()
  #keeper: ScenarioKeeper | undefined
  #isNeeded: (name: string, notBy?: string) => boolean = () => false

  /** Has sessions tell whether one of them, or one of all but one, needs a scenario. */
  neededBy(isNeeded: (name: string, notBy?: string) => boolean): void {
    this.#isNeeded = isNeeded
  }

  /** Goes on with what a keeper has kept. Undefined: nothing is kept from now on. */
  keepWith(keeper: ScenarioKeeper | undefined): void {
    this.#keeper = keeper
    for (const saved of keeper?.savedScenarios() ?? []) this.#saved.set(saved.scenario.name, saved)
  }

  get(name: string): SavedScenario | undefined {
    return this.#saved.get(name)
  }

  all(): Scenario[] {
    return [...this.#saved.values()].map(({ scenario }) => scenario)
  }

  /** Throws `TOO_MUCH_DATA` if there are as many as a mock keeps, and all are needed. */
  add(saved: SavedScenario): void {
    if (this.#saved.size >= SCENARIOS_SAVED && !this.#saved.has(saved.scenario.name)) this.#evictOldest()
    this.#keeper?.scenarioSaved(saved)
    this.#saved.set(saved.scenario.name, saved)
  }

  /** Whether another one extends it. */
  isExtended(name: string): boolean {
    return this.all().some((scenario) => scenario.extends === name)
  }

  remove(name: string): void {
    if (this.#saved.delete(name)) this.#keeper?.scenarioForgotten(name)
  }

  /** Removes what a session has saved, but for what others need. */
  removeOf(session: string): void {
    for (const [name, saved] of this.#saved) {
      const isInUse = this.#isNeeded(name, session) || this.isExtended(name)
      if (saved.session === session && !isInUse) this.remove(name)
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
