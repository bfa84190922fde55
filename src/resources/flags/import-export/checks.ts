import { badData, type Failure, noAccess } from '../../../contract/errors.js'
import type { Permission } from '../../../contract/permissions.js'
import type { Caller, OperationContext, Tables } from '../../shared/context.js'
import { featureName } from '../features/schema.js'
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
  const [error] = importErrors(context.tables, sent)
  if (error !== undefined) return badData(`${error.message} ${error.affectedItems.join(', ')}`, '/body/data')
  return sent.data.features.map(({ name }) => featureName.check(name)).find((failure) => failure !== undefined)
}

/** The missing permissions as a validation reports them. */
export function permissionFaults(missing: readonly Permission[]): ImportFault[] {
  return fault('These permissions are missing:', missing)
}
