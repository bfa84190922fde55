import { badData, type Failure, limitExceeded, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { nameTaken } from '../../shared/checks.js'
import type { Tables } from '../../shared/context.js'
import { checkConstraints } from '../constraints/checks.js'
import { strategiesUsing } from '../usage/lookup.js'
import type { SegmentRecord, UpsertSegment } from './schema.js'

const LIMITS = { segments: 300, values: 1000, ofStrategy: 5 } as const

/** Fails if a segment can't be created or, given its `id`, updated like this. */
export function checkSegment(tables: Tables, input: UpsertSegment, id?: number): Failure | undefined {
  return checkSegmentName(tables, input.name, id) ?? checkProject(tables, input, id) ?? checkContents(tables, input, id)
}

/** Fails if a name is empty or taken by another segment. */
export function checkSegmentName(tables: Tables, name: string, id?: number): Failure | undefined {
  if (name === '') return badData('The property "name" must not be empty.', '/body/name')
  const holder = tables.segments.by('name', name).find((segment) => segment.id !== id)
  return holder && nameTaken('segment', name)
}

/** Fails if a strategy of a project can't use these segments: unknown, of another project, or too many. */
export function checkSegmentsOfStrategy(tables: Tables, ids: readonly number[], project: string): Failure | undefined {
  if (ids.length > LIMITS.ofStrategy) {
    return badData(`A strategy can't have more than ${LIMITS.ofStrategy} segments.`, '/body/segments')
  }
  return ids.map((id) => checkFits(tables.segments.get(id), id, project)).find((failure) => failure !== undefined)
}

function checkFits(segment: Frozen<SegmentRecord> | undefined, id: number, project: string): Failure | undefined {
  if (segment === undefined) return notFound(`There is no segment "${id}".`)
  if (segment.project === null || segment.project === project) return undefined
  const message = `The segment ${segment.name} (${id}) can't be used in the project "${project}".`
  return badData(message, '/body/segments')
}

function checkProject(tables: Tables, { project }: UpsertSegment, id: number | undefined): Failure | undefined {
  // An empty name means every project.
  if (!project) return undefined
  if (!tables.projects.has(project)) return notFound(`There is no project "${project}".`)
  const elsewhere = id === undefined ? [] : strategiesUsing(tables, 'segment', id)
  return elsewhere.some(({ projectId }) => projectId !== project)
    ? badData(`The segment is used outside the project "${project}".`, '/body/project')
    : undefined
}

function checkContents(tables: Tables, { constraints }: UpsertSegment, id: number | undefined): Failure | undefined {
  const isNew = id === undefined
  if (isNew && tables.segments.list().length >= LIMITS.segments) {
    return limitExceeded(`${LIMITS.segments} segments`, '/body')
  }
  const values = constraints.reduce((sum, constraint) => sum + (constraint.values?.length ?? 0), 0)
  return values > LIMITS.values
    ? badData(`A segment can't have more than ${LIMITS.values} values.`, '/body/constraints')
    : checkConstraints(tables, constraints)
}
