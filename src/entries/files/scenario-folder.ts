import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MockError } from '../../engine/errors/mock-errors.js'
import type { ScenarioFolder } from '../../engine/http/call.js'
import { SCENARIOS_SAVED } from '../../engine/scenarios/saved-scenarios.js'
import type { Scenario } from '../../engine/scenarios/scenario.js'
import { systemCode } from '../../support/errors.js'
import { laidOut } from '../../support/json.js'
import { describeSystemError } from './json-file.js'
import { replaceFile } from './replace-file.js'

/** A mock's saved scenarios in a folder, one file each. */
export class SavedScenarioFiles implements ScenarioFolder {
  readonly #folder: string
  /** The text of each written file. */
  readonly #written = new Map<string, string>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** One after the other: writes of the same name share a temporary file. */
  write(scenario: Scenario): Promise<string> {
    const next = this.#writing.then(() => this.#write(scenario))
    this.#writing = next.catch(() => undefined)
    return next
  }

  async #write(scenario: Scenario): Promise<string> {
    const file = this.#fileOf(scenario.name)
    const text = `${laidOut(scenario)}\n`
    if (this.#written.size >= SCENARIOS_SAVED) {
      const problem = `This mock has already written ${SCENARIOS_SAVED} scenario files to ${this.#folder}.`
      throw new MockError('TOO_MUCH_DATA', problem, 'Remove one with DELETE /__mock/scenarios/NAME.')
    }
    try {
      await replaceFile(file, [text], { isNew: true })
      this.#written.set(file, text)
      return file
    } catch (error) {
      if (systemCode(error) === 'EEXIST') {
        throw new MockError('SCENARIO_EXISTS', `The file ${file} already exists.`, 'Give the scenario another name.')
      }
      const problem = `The scenario can't be written to ${file}: ${describeSystemError(error)}.`
      throw new MockError('STATE_NOT_SAVED', problem, 'Nothing was saved. Make the folder writable, and try again.')
    }
  }

  async remove(name: string): Promise<void> {
    const file = this.#fileOf(name)
    const text = this.#written.get(file)
    const isOurs = text !== undefined && (await readFile(file, 'utf8').catch(() => undefined)) === text
    if (isOurs) {
      await rm(file, { force: true }).catch((error: unknown) => {
        const problem = `The file ${file} of the scenario can't be removed: ${describeSystemError(error)}.`
        throw new MockError('STATE_NOT_SAVED', problem, 'Nothing was removed. Make the folder writable, and try again.')
      })
    }
    this.#written.delete(file)
  }

  #fileOf(name: string): string {
    return join(this.#folder, `${name}.json`)
  }
}
