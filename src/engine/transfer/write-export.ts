import { exportedFeatures, presentExport } from '../../service/resources/flags/import-export.operations.js'
import { inOrder } from '../../service/resources/shared/checks.js'
import type { Tables } from '../../service/resources/shared/context.js'
import { realTime } from '../../support/clock.js'
import { createIds } from '../../support/ids.js'
import { didYouMean } from '../../support/nearest.js'
import { MockError } from '../errors/mock-errors.js'
import { loadState } from '../state/load-state.js'
import type { PartialState } from '../state/partial-state.js'
import { WorldData } from '../state/state.js'
import { USUAL_ENVIRONMENT } from './older-forms.js'

export interface ExportOptions {
  /** The projects whose features are exported. Default: all. */
  projects?: readonly string[] | undefined
  /** The environment whose strategies are exported. Default: `development`, or the first environment without it. */
  environment?: string | undefined
}

/** Seed data as an Unleash export file. Throws a `MockError` for an unknown project or environment. */
export function writeExport(state: PartialState, options: ExportOptions): object {
  const data = new WorldData()
  loadState(data, state, { now: new Date(realTime()), ids: createIds(), source: 'The state', replacesAll: true })
  return exportOf(data.tables, options)
}

/** The export of a world's data: the features that aren't archived, with everything that they reference. */
export function exportOf(tables: Tables, { projects = [], environment }: ExportOptions): object {
  const ids = tables.projects.list().map(({ id }) => id)
  const known = new Set(ids)
  for (const id of projects) if (!known.has(id)) throw unknown('project', id, ids)
  const names = inOrder(tables.environments.list()).map(({ name }) => name)
  const usual = names.includes(USUAL_ENVIRONMENT) ? USUAL_ENVIRONMENT : names[0]
  const chosen = environment ?? usual ?? USUAL_ENVIRONMENT
  if (!names.includes(chosen)) throw unknown('environment', chosen, names)
  const features = exportedFeatures(tables, { environment: chosen, features: [] })
  const wanted = new Set(projects.length === 0 ? ids : projects)
  return presentExport(
    features.filter(({ project }) => wanted.has(project)),
    chosen,
    tables,
  )
}

function unknown(what: string, name: string, known: readonly string[]): MockError {
  const hint = `${didYouMean(name, known)} There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}.`
  return new MockError('INVALID_OPTION', `There is no ${what} "${name}" to export.`, hint.trim())
}
