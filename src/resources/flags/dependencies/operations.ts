import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { saveFeature } from '../features/actions.js'
import { findActiveInProject } from '../features/lookup.js'
import { checkParent } from './checks.js'
import { parentOptions, variantNames } from './rules.js'
import {
  createDependentFeatureSchema,
  dependenciesExistSchema,
  parentFeatureOptionsSchema,
  parentVariantOptionsSchema,
} from './schema.js'

const tag = 'Dependencies'

const addFeatureDependency = defineOperation({
  id: 'addFeatureDependency',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/dependencies',
  summary: 'Set the parent that a feature depends on, and the state that it requires of it',
  tag,
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  body: createDependentFeatureSchema,
  success: { status: 200, description: 'The feature depends on the parent' },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findActiveInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const failure = checkParent(context.tables, found.value, body.feature)
    if (failure) return fail(failure)
    const { feature, enabled = true, variants } = body
    const added = { feature, enabled, ...(enabled && variants !== undefined ? { variants } : {}) }
    saveFeature(context, { ...found.value, dependencies: [{ ...added, variants: added.variants ?? [] }] }, [
      { type: 'feature-dependency-added', data: added },
    ])
    return ok({})
  },
})

const deleteFeatureDependency = defineOperation({
  id: 'deleteFeatureDependency',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName/dependencies/:parent',
  summary: 'Remove a parent from a feature',
  tag,
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  success: { status: 200, description: 'The feature no longer depends on the parent' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findActiveInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const dependencies = found.value.dependencies.filter(({ feature }) => feature !== params.parent)
    if (dependencies.length === found.value.dependencies.length) return fail(notFound(noParent(params)))
    saveFeature(context, { ...found.value, dependencies }, [
      { type: 'feature-dependency-removed', data: { feature: params.parent } },
    ])
    return ok({})
  },
})

function noParent({ featureName, parent, projectId }: Record<'featureName' | 'parent' | 'projectId', string>): string {
  return `The feature "${featureName}" in the project "${projectId}" does not depend on "${parent}".`
}

const deleteFeatureDependencies = defineOperation({
  id: 'deleteFeatureDependencies',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName/dependencies',
  summary: 'Remove all parents from a feature',
  tag,
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  success: { status: 200, description: 'The feature has no parents' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findActiveInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    if (found.value.dependencies.length === 0) {
      return fail(notFound(`The feature "${params.featureName}" does not depend on another one.`))
    }
    saveFeature(context, { ...found.value, dependencies: [] }, [{ type: 'feature-dependencies-removed', data: null }])
    return ok({})
  },
})

const listParentOptions = defineOperation({
  id: 'listParentOptions',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/parents',
  summary: 'List the features that can be the parent of a feature',
  tag,
  success: { status: 200, description: 'Their names', schema: parentFeatureOptionsSchema },
  errors: [404],
  run: ({ params, context: { tables } }) => {
    const found = findActiveInProject(tables, params.featureName, params.projectId)
    if (!found.ok) return found
    return ok({ body: parentOptions(found.value, tables.features.by('activeInProject', params.projectId)) })
  },
})

const listParentVariantOptions = defineOperation({
  id: 'listParentVariantOptions',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName/parent-variants',
  summary: 'List the variants of a feature that its children can depend on',
  tag,
  success: { status: 200, description: 'Their names', schema: parentVariantOptionsSchema },
  run: ({ params, context: { tables } }) => {
    const parent = tables.features.get(params.featureName)
    return ok({ body: parent === undefined ? [] : variantNames(parent) })
  },
})

const checkDependenciesExist = defineOperation({
  id: 'checkDependenciesExist',
  method: 'GET',
  path: '/api/admin/projects/:projectId/dependencies',
  summary: 'Check whether any feature of any project depends on another',
  tag,
  success: { status: 200, description: 'Whether any does', schema: dependenciesExistSchema },
  run: ({ context: { tables } }) =>
    ok({ body: tables.features.list().some(({ dependencies }) => dependencies.length > 0) }),
})

export const dependencyOperations = [
  addFeatureDependency,
  deleteFeatureDependency,
  deleteFeatureDependencies,
  listParentOptions,
  listParentVariantOptions,
  checkDependenciesExist,
] as const
