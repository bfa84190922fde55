import { badData, type Failure, noAccess } from '../../../contract/errors.js'
import type { Permission } from '../../../contract/permissions.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { contextFieldName } from '../../targeting/context-fields/schema.js'
import { createTagTypeSchema, tagTypeName } from '../tag-types/schema.js'
import { checkTagTypes } from '../tags/checks.js'
import {
  contextFieldFaults,
  elsewhereFaults,
  fault,
  namesIn,
  parentFaults,
  segmentFaults,
  strategyFaults,
} from './lookup.js'
import type { Import, ImportFault } from './schema.js'

/** The permissions that an import can need, by the names that people read. */
const READABLE = {
  UPDATE_FEATURE: 'Update feature flags',
  CREATE_TAG_TYPE: 'Create tag types',
  CREATE_CONTEXT_FIELD: 'Create context fields',
  DELETE_FEATURE_STRATEGY: 'Delete activation strategies',
  CREATE_FEATURE_STRATEGY: 'Create activation strategies',
  UPDATE_FEATURE_ENVIRONMENT_VARIANTS: 'Update variants',
  CREATE_FEATURE: 'Create feature flags',
} as const satisfies Partial<Record<Permission, string>>

type ImportPermission = keyof typeof READABLE

/** The permissions that the caller needs for an import and does not have. */
export function missingPermissions({ tables, caller }: OperationContext, sent: Import): ImportPermission[] {
  const { project, environment, data } = sent
  const { features, featureStrategies, featureEnvironments = [], contextFields = [], tagTypes } = data
  const names = namesIn(data)
  const known = names.flatMap((name) => tables.features.get(name) ?? [])
  const hasStrategies = known.some(({ environments }) =>
    environments.some(({ name, strategies }) => name === environment && strategies.length > 0),
  )
  const needed: [ImportPermission, boolean][] = [
    ['UPDATE_FEATURE', true],
    ['CREATE_TAG_TYPE', tagTypes.some(({ name }) => !tables.tagTypes.has(name))],
    ['CREATE_CONTEXT_FIELD', contextFields.some(({ name }) => !tables.contextFields.has(name))],
    ['DELETE_FEATURE_STRATEGY', hasStrategies || names.length === 0],
    ['CREATE_FEATURE_STRATEGY', featureStrategies.length > 0],
    ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', featureEnvironments.some(({ variants = [] }) => variants.length > 0)],
    ['CREATE_FEATURE', known.length < features.length],
  ]
  return needed
    .filter(([permission, isNeeded]) => isNeeded && !caller.may(permission, { project, environment }))
    .map(([permission]) => permission)
}

/** The permissions that are missing, as a validation reports them. */
export function permissionFaults(missing: readonly ImportPermission[]): ImportFault[] {
  return fault(
    'These permissions are missing:',
    missing.map((permission) => READABLE[permission]),
  )
}

/** Fails if an import is not possible, as far as this can be seen before it is tried. */
export function checkImport(context: OperationContext, sent: Import): Failure | undefined {
  const { tables } = context
  const first = (...[one]: ImportFault[]) =>
    one && badData(`${one.message} ${one.affectedItems.join(', ')}`, '/body/data')
  const missing = missingPermissions(context, sent)
  const project = findActiveProject(tables, sent.project)
  return (
    first(...strategyFaults(tables, sent)) ??
    first(...contextFieldFaults(tables, sent)) ??
    (missing.length === 0 ? undefined : noAccess(missing, sent.environment)) ??
    (project.ok ? undefined : project.failure) ??
    first(...elsewhereFaults(tables, sent)) ??
    first(...segmentFaults(tables, sent)) ??
    first(...parentFaults(tables, sent)) ??
    checkRecords(tables, sent)
  )
}

/** Fails if something that is imported couldn't be created by itself; features are checked when they are. */
function checkRecords(tables: Tables, { data }: Import) {
  const { contextFields = [], tagTypes, featureTags = [] } = data
  const newFields = contextFields.filter(({ name }) => !tables.contextFields.has(name))
  const newTypes = tagTypes.filter(({ name }) => !tables.tagTypes.has(name))
  const isImported = (type: string) => tagTypes.some(({ name }) => name === type)
  const tags = featureTags.map(({ tagType = 'simple', tagValue }) => ({ type: tagType, value: tagValue }))
  const failures = [
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
