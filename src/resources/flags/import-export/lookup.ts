import { matchesNaming } from '../../projects/projects/checks.js'
import type { Tables } from '../../shared/context.js'
import type { Import, ImportFault } from './schema.js'

/** A finding about some items; none without items. */
export function fault(message: string, affectedItems: readonly string[]): ImportFault[] {
  return affectedItems.length === 0 ? [] : [{ message, affectedItems: [...affectedItems] }]
}

/** An import without what belongs to archived features, which stay as they are, and without tag types that nothing has. */
export function withoutArchived({ features: known }: Tables, sent: Import): Import {
  const { features, featureEnvironments, featureStrategies, featureTags = [], tagTypes } = sent.data
  const isOpen = (name: string | undefined) => name !== undefined && known.get(name)?.archived !== true
  const tags = featureTags.filter(({ featureName }) => isOpen(featureName))
  const data = {
    ...sent.data,
    features: features.filter(({ name }) => isOpen(name)),
    featureStrategies: featureStrategies.filter(({ featureName }) => isOpen(featureName)),
    featureTags: tags,
    tagTypes: tagTypes.filter(({ name }) => tags.some(({ tagType }) => tagType === name)),
  }
  return {
    ...sent,
    data: featureEnvironments
      ? { ...data, featureEnvironments: featureEnvironments.filter((one) => isOpen(one.featureName ?? one.name)) }
      : data,
  }
}

export const strategyFaults = ({ strategyTypes }: Tables, { data }: Import) =>
  fault(
    'These strategy types must be created first:',
    data.featureStrategies.map(({ name }) => name).filter((name) => !strategyTypes.has(name)),
  )

export function contextFieldFaults({ contextFields }: Tables, { project, data }: Import): ImportFault[] {
  const conflicts = (data.contextFields ?? []).filter(({ name, legalValues = [] }) => {
    const known = contextFields.get(name)
    if (known === undefined) return false
    const isElsewhere = known.project !== null && known.project !== project
    return isElsewhere || legalValues.some(({ value }) => !known.legalValues?.some((legal) => legal.value === value))
  })
  const message = 'These context fields exist with other legal values, or in another project:'
  return fault(
    message,
    conflicts.map(({ name }) => name),
  )
}

export function elsewhereFaults({ features }: Tables, { project, data }: Import): ImportFault[] {
  const elsewhere = namesIn(data).flatMap((name) => {
    const known = features.get(name)
    return known === undefined || known.project === project ? [] : `${name} (in project ${known.project})`
  })
  return fault('These features exist in other projects:', elsewhere)
}

/** The names of the features of an import, each once. */
export function namesIn({ features }: Import['data']): string[] {
  return [...new Set(features.map(({ name }) => name))]
}

function duplicateFaults({ data }: Import): ImportFault[] {
  const names = data.features.map(({ name }) => name)
  return fault(
    'These names occur more than once:',
    namesIn(data).filter((name) => names.indexOf(name) !== names.lastIndexOf(name)),
  )
}

function namingFaults({ projects }: Tables, { project, data }: Import): ImportFault[] {
  const known = projects.get(project)
  const wrong = namesIn(data).filter((name) => !matchesNaming(known, name))
  const message = `These names don't match the pattern of the project, "${known?.featureNaming.pattern}":`
  return fault(message, wrong.toSorted())
}

function limitFaults({ projects, features }: Tables, { project, data }: Import): ImportFault[] {
  const limit = projects.get(project)?.featureLimit ?? null
  const isActive = (name: string) => features.by('activeInProject', project).some((known) => known.name === name)
  const added = namesIn(data).filter((name) => !isActive(name)).length
  const count = features.count('activeInProject', project)
  if (limit === null || count + added <= limit) return []
  const message = `The project has ${count} features, and can't have ${added} more: its limit is ${limit}.`
  return [{ message, affectedItems: [] }]
}

export function segmentFaults({ segments }: Tables, { project, data }: Import): ImportFault[] {
  const canBeUsed = (name: string) =>
    segments.by('name', name).some((known) => known.project === null || known.project === project)
  const names = (data.segments ?? []).map(({ name }) => name)
  return fault(
    'These segments must be created first:',
    names.filter((name) => !canBeUsed(name)),
  )
}

export function parentFaults({ features }: Tables, { data }: Import): ImportFault[] {
  const parents = (data.dependencies ?? []).flatMap((one) => one.dependencies.map(({ feature }) => feature))
  const missing = parents.filter((name) => !features.has(name) && !namesIn(data).includes(name))
  return fault('These features must be created first, because others depend on them:', missing)
}

/** What prevents an import. */
export function importErrors(tables: Tables, sent: Import): ImportFault[] {
  return [
    ...strategyFaults(tables, sent),
    ...contextFieldFaults(tables, sent),
    ...elsewhereFaults(tables, sent),
    ...duplicateFaults(sent),
    ...namingFaults(tables, sent),
    ...limitFaults(tables, sent),
    ...segmentFaults(tables, sent),
    ...parentFaults(tables, sent),
  ]
}

/** What is worth knowing before an import. */
export function importWarnings(tables: Tables, { project, data }: Import): ImportFault[] {
  const existing = namesIn(data).flatMap((name) => tables.features.get(name) ?? [])
  const types = [...new Set(data.featureStrategies.map(({ name }) => name))]
  return [
    ...fault(
      'These strategy types of your own are used; their parameters must be those of where they come from:',
      types.filter((name) => tables.strategyTypes.get(name)?.editable),
    ),
    ...fault(
      'These features are archived and will not be imported:',
      existing.filter(({ archived }) => archived).map(({ name }) => name),
    ),
    ...fault(
      'These features exist and will be overwritten:',
      existing.filter((one) => !one.archived && one.project === project).map(({ name }) => name),
    ),
  ]
}
