import { resolve } from 'node:path'
import type { ViteDevServer } from 'vite'
import * as z from 'zod'
import { givenFixtures } from '../../../engine/mock/core.js'
import type { Mock } from '../../../engine/mock/mock.js'
import { expectFitting, type MockOptions, optionSchemas } from '../../../engine/mock/options.js'
import { CORE } from '../../../engine/mock/session.js'
import type { Scenario } from '../../../engine/scenarios/scenario.js'
import type { PartialState } from '../../../engine/state/partial-state.js'
import type { AsJson } from '../../../engine/state/state.js'
import { formatOf, type ServiceFile } from '../../../engine/transfer/service-file.js'
import { sentence } from '../../../support/text.js'
import { createReload, readSources, type Sources, tryOut } from '../../files/sources.js'
import { UsageError } from '../../files/usage-error.js'
import { watchFiles } from '../../files/watch-files.js'

/** Seed data, an Unleash file, or the name of a file with either. */
export type GivenFixture = AsJson<PartialState | ServiceFile> | string

export interface PluginOptions extends Omit<MockOptions, 'fixtures' | 'scenarios'> {
  /**
   * Seed data for every scenario: one fixture, or several, added in order. A string names a JSON file, relative to Vite's
   * root. The dev server reads it again when it changes.
   */
  fixtures?: GivenFixture | readonly GivenFixture[] | undefined
  /** Your own scenarios: a list, or a folder with one JSON file each, which the dev server reads again when they change. */
  scenarios?: readonly AsJson<Scenario>[] | string | undefined
  /** A file for the state, relative to Vite's root: changes survive a restart. */
  state?: string | undefined
}

const optionsSchema = z
  .strictObject({
    ...optionSchemas,
    fixtures: z.unknown(),
    scenarios: z.union([z.array(z.unknown()), z.string()]),
    state: z.string().regex(/\S/, 'must name a file'),
  } satisfies Record<keyof PluginOptions, z.ZodType>)
  .partial()

/** Throws a `MockError` for invalid plugin options. */
export function checkPluginOptions(options: PluginOptions): void {
  expectFitting(optionsSchema, options, 'The plugin flagdouble')
}

/** The fixtures and scenarios of a plugin, and their files. */
export interface GivenSources {
  files: readonly string[]
  folder: string | undefined
  /** Reads the files. Throws an `Error` that names the file and its problems. */
  read(): Promise<Sources>
}

export function givenSources({ fixtures = [], scenarios = [], scenario }: PluginOptions, root: string): GivenSources {
  const isList = Array.isArray(fixtures) && formatOf(fixtures) === undefined
  const all = isList ? (fixtures as readonly GivenFixture[]) : [fixtures as GivenFixture]
  const given = all.map((fixture) => (typeof fixture === 'string' ? resolve(root, fixture) : fixture))
  const files = given.filter((fixture) => typeof fixture === 'string')
  const folder = typeof scenarios === 'string' ? resolve(root, scenarios) : undefined
  // A scenario in the configuration isn't in the folder.
  const named = typeof scenario === 'string' && typeof scenarios === 'string' ? { scenario } : {}
  const read = async () => {
    const found = await readSources({ fixtures: files, ...(folder === undefined ? {} : { scenarios: folder }) })
    const ofFiles = found.fixtures.values()
    const sources: Sources = {
      scenarios: typeof scenarios === 'string' ? found.scenarios : (scenarios as readonly Scenario[]),
      fixtures: given.flatMap((fixture) =>
        typeof fixture === 'string'
          ? (ofFiles.next().value ?? [])
          : givenFixtures(fixture as PartialState | ServiceFile),
      ),
    }
    await tryOut({ scenarios: sources.scenarios, ...named }, sources.fixtures)
    return sources
  }
  return { files, folder, read }
}

/**
 * Restarts the mock when a file changes, and reloads the pages. Logs a broken file, and changes nothing. Returns a function
 * that stops it.
 */
export async function reloadOnChange(
  mock: Mock,
  first: Sources,
  { files, folder, read }: GivenSources,
  { config: { logger }, ws }: ViteDevServer,
): Promise<() => void> {
  if (files.length === 0 && folder === undefined) return () => undefined
  const reload = createReload(mock, first, read)
  let isBroken = mock[CORE].sessions.fileNotices.has('sources')
  return watchFiles(files, folder, () => {
    reload().then(
      (changed) => {
        if (changed) logger.info('flagdouble: files changed, reloaded', { timestamp: true })
        for (const notice of changed ? mock[CORE].notices() : []) {
          logger.warn(`flagdouble: ${notice}`, { timestamp: true })
        }
        // Only a reload removes the overlay of an error.
        if (changed || isBroken) ws.send({ type: 'full-reload' })
        isBroken = false
      },
      (error: unknown) => {
        isBroken = true
        const message = `flagdouble: ${explain(error)} The previous files stay in use.`
        logger.error(message, { timestamp: true })
        showError(ws, message)
      },
    )
  })
}

/** Shows an error over the app's pages, or over the next one that is opened. */
export function showError(ws: ViteDevServer['ws'], message: string): void {
  ws.send({ type: 'error', err: { message, stack: '', plugin: 'flagdouble' } })
}

/** The error in one text: Vite shows only its message. */
export function explain(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error))
  return sentence(message) + (error instanceof UsageError ? ` ${error.hint}` : '')
}
