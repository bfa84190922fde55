import { badData, type Failure, noAccess } from '../../../contract/errors.js'
import type { Permission } from '../../../contract/permissions.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import type { Caller, OperationContext, Tables } from '../../shared/context.js'
import { contextFieldName } from '../../targeting/context-fields/schema.js'
import { featureName } from '../features/schema.js'
import { createTagTypeSchema, tagTypeName } from '../tag-types/schema.js'
import { checkTagTypes } from '../tags/checks.js'
import type { Import, ImportFault } from './schema.js'

function fault(message: string, affectedItems: readonly (string | undefined)[]): ImportFault[] {
  const items = [...new Set(affectedItems.flatMap((item) => item ?? []))]
  return items.length === 0 ? [] : [{ message, affectedItems: items }]
}

/** What prevents an import: what it refers to and is not there, and features of other projects. */
export function importErrors(tables: Tables, { project, data }: Import): ImportFault[] {
  const { features, featureStrategies, contextFields = [], segments = [], dependencies = [] } = data
  const parents = dependencies.flatMap((one) => one.dependencies.map(({ feature }) => feature))
  const conflicts = contextFields.filter(({ name, legalValues = [] }) => {
    const known = tables.contextFields.get(name)?.legalValues
    return known !== undefined && legalValues.some(({ value }) => !known.some((legal) => legal.value === value))
  })
  const isElsewhere = (name: string) => (tables.features.get(name)?.project ?? project) !== project
  const isMissing = (name: string) =>
    tables.features.get(name)?.archived !== false && !features.some((feature) => feature.name === name)
  return [
    ...fault(
      'These strategy types must be created first:',
      featureStrategies.map(({ name }) => (tables.strategyTypes.has(name) ? undefined : name)),
    ),
    ...fault(
      'These context fields exist with other legal values:',
      conflicts.map(({ name }) => name),
    ),
    ...fault(
      'These segments must be created first:',
      segments.map(({ name }) => (tables.segments.by('name', name).length === 0 ? name : undefined)),
    ),
    ...fault('These features must be created first, because others depend on them:', parents.filter(isMissing)),
    ...fault('These features exist in other projects:', features.map(({ name }) => name).filter(isElsewhere)),
  ]
}

/** What is worth knowing before an import. */
export function importWarnings(tables: Tables, { data: { features } }: Import): ImportFault[] {
  const existing = features.flatMap(({ name }) => tables.features.get(name) ?? [])
  return [
    ...fault(
      'These features are archived and will not be imported:',
      existing.map(({ name, archived }) => (archived ? name : undefined)),
    ),
    ...fault(
      'These features exist and will be overwritten:',
      existing.map(({ name, archived }) => (archived ? undefined : name)),
    ),
  ]
}

/** The permissions that the caller needs for an import and does not have. */
export function missingPermissions({ tables, caller }: OperationContext, sent: Import): Permission[] {
  const { features, featureStrategies, contextFields = [], tagTypes } = sent.data
  const needed: Permission[] = []
  if (features.some(({ name }) => !tables.features.has(name))) needed.push('CREATE_FEATURE')
  if (features.some(({ name }) => tables.features.has(name))) needed.push('UPDATE_FEATURE')
  if (featureStrategies.length > 0) needed.push('CREATE_FEATURE_STRATEGY')
  if (contextFields.some(({ name }) => !tables.contextFields.has(name))) needed.push('CREATE_CONTEXT_FIELD')
  if (tagTypes.some(({ name }) => !tables.tagTypes.has(name))) needed.push('CREATE_TAG_TYPE')
  return needed.filter((permission) => !mayIn(caller, permission, sent))
}

function mayIn(caller: Caller, permission: Permission, { project, environment }: Import): boolean {
  return caller.may(permission, { project, environment })
}

/** Fails if an import is not possible. */
export function checkImport(context: OperationContext, sent: Import): Failure | undefined {
  if (context.caller.user === undefined) {
    return badData('Features are imported by users: sign in, or send a personal access token.', '/body')
  }
  const [missing] = missingPermissions(context, sent)
  if (missing !== undefined) return noAccess(missing, sent.environment)
  const project = findActiveProject(context.tables, sent.project)
  if (!project.ok) return project.failure
  const [error] = importErrors(context.tables, sent)
  if (error !== undefined) return badData(`${error.message} ${error.affectedItems.join(', ')}`, '/body/data')
  return checkRecords(context.tables, sent.data)
}

/** Fails if something that is imported couldn't be created by itself. */
function checkRecords(tables: Tables, { features, contextFields = [], tagTypes, featureTags = [] }: Import['data']) {
  const newFields = contextFields.filter(({ name }) => !tables.contextFields.has(name))
  const newTypes = tagTypes.filter(({ name }) => !tables.tagTypes.has(name))
  const isImported = (type: string) => tagTypes.some(({ name }) => name === type)
  const tags = featureTags.map(({ tagType = 'simple', tagValue }) => ({ type: tagType, value: tagValue }))
  const failures = [
    ...features.map(({ name }) => featureName.check(name)),
    ...newFields.map(({ name }) => contextFieldName.check(name)),
    ...newTypes.map(({ name }) => tagTypeName.check(name)),
    ...newTypes.map(({ name, color }) => checkColor(name, color)),
    checkTagTypes(
      tables,
      tags.filter(({ type }) => !isImported(type)),
    ),
  ]
  return failures.find((failure) => failure !== undefined)
}

function checkColor(name: string, color: string | null | undefined): Failure | undefined {
  const { error } = createTagTypeSchema.shape.color.safeParse(color)
  const [issue] = error?.issues ?? []
  return issue && badData(`The color of the tag type "${name}" ${issue.message}.`, '/body/data/tagTypes')
}

/** The missing permissions as a validation reports them. */
export function permissionFaults(missing: readonly Permission[]): ImportFault[] {
  return fault('These permissions are missing:', missing)
}
