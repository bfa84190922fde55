import * as z from 'zod'
import { type Failure, notFound, reject } from '../../contract/errors.js'
import { byName, distinct } from '../shared/checks.js'
import type { Tables } from '../shared/context.js'
import { del, get, ok, operations, post } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import type { dependencySchema } from './dependencies.js'
import { placesOf, type StoredFeature } from './features.js'
import { childrenOf, featurePath, findInProject, saveFeature } from './features.model.js'

/** The names of a feature's possible parents: features of its project, in any path, that have no parents. */
function parentOptions({ features }: Tables, child: StoredFeature | undefined): string[] {
  if (child === undefined) return []
  return features
    .by('activeInProject', child.project)
    .filter(({ name, dependencies }) => name !== child.name && dependencies.length === 0)
    .toSorted(byName)
    .map(({ name }) => name)
}

/** The names of the variants of a feature's strategies and environments. */
function variantNames(feature: StoredFeature | undefined): string[] {
  if (feature === undefined) return []
  const strategies = placesOf(feature).flatMap((place) => place.strategies)
  const variants = [...feature.environments, ...strategies].flatMap((holder) => holder.variants)
  return distinct(variants.map(({ name }) => name))
}

/** Fails if a feature can't have this parent. Dependencies are one level deep and stay within a project. */
export function checkParent(
  tables: Tables,
  child: Pick<StoredFeature, 'name' | 'project'>,
  parentName: string,
): Failure | undefined {
  const parent = tables.features.get(parentName)
  if (child.name === parentName) return invalid(`The feature "${parentName}" can't depend on itself.`)
  if (childrenOf(tables, child.name).length > 0) {
    return invalid(`Other features depend on "${child.name}", so it can't depend on a feature itself.`)
  }
  if (parent !== undefined && parent.dependencies.length > 0) {
    return invalid(`The feature "${parentName}" depends on another feature, so no feature can depend on it.`)
  }
  if (parent === undefined || parent.archived) return invalid(`There is no active feature named "${parentName}".`)
  if (parent.project !== child.project) {
    return notFound(`The feature "${parentName}" is not in the project "${child.project}".`)
  }
  return undefined
}

function invalid(message: string): Failure {
  return { kind: 'invalidOperation', message }
}

/** A new parent as stored, and as in its event, which keeps variants that a disabled parent can't need. */
export function completeParent({ feature, enabled = true, variants }: z.infer<typeof dependencySchema>) {
  return {
    stored: { feature, enabled, variants: enabled ? (variants ?? []) : [] },
    logged: { feature, enabled, ...(variants === undefined ? {} : { variants }) },
  }
}

export const dependencyOperations = operations('Dependencies', {
  addFeatureDependency: post(`${featurePath}/dependencies`, {
    summary: 'Set a parent of a feature, and the state that the feature requires',
    permission: 'UPDATE_FEATURE_DEPENDENCY',
    body: named('createDependentFeatureSchema', () => ({
      feature: z.string().meta({ description: 'The name of the parent' }),
      enabled: z.boolean().optional(),
      variants: z.array(z.string()).optional(),
    })),
    success: { status: 200, description: 'The feature depends on the parent' },
    run: ({ params, body, context }) => {
      const child = { name: params.featureName, project: params.projectId }
      reject(checkParent(context.tables, child, body.feature))
      const found = findInProject(context.tables, params)
      const { stored, logged } = completeParent(body)
      saveFeature(context, { ...found, dependencies: [stored] }, [{ type: 'feature-dependency-added', data: logged }])
    },
  }),

  deleteFeatureDependency: del(`${featurePath}/dependencies/:parent`, {
    summary: 'Remove a parent from a feature',
    permission: 'UPDATE_FEATURE_DEPENDENCY',
    success: { status: 200, description: 'The feature no longer depends on the parent' },
    run: ({ params, context }) => {
      const { featureName, projectId, parent } = params
      const found = context.tables.features.get(featureName)
      const dependencies = found?.dependencies.filter(({ feature }) => feature !== parent)
      if (
        found?.project !== projectId ||
        dependencies?.length === found.dependencies.length ||
        dependencies === undefined
      ) {
        reject(notFound(`The feature "${featureName}" in the project "${projectId}" does not depend on "${parent}".`))
      }
      saveFeature(context, { ...found, dependencies }, [
        { type: 'feature-dependency-removed', data: { feature: params.parent } },
      ])
    },
  }),

  deleteFeatureDependencies: del(`${featurePath}/dependencies`, {
    summary: 'Remove all parents from a feature',
    permission: 'UPDATE_FEATURE_DEPENDENCY',
    success: { status: 200, description: 'The feature has no parents' },
    run: ({ params, context }) => {
      const found = findInProject(context.tables, params)
      if (found.dependencies.length === 0) {
        reject(notFound(`The feature "${params.featureName}" in the project "${params.projectId}" has no parents.`))
      }
      saveFeature(context, { ...found, dependencies: [] }, [{ type: 'feature-dependencies-removed', data: null }])
    },
  }),

  listParentOptions: get(`${featurePath}/parents`, {
    summary: 'List the features that can be the parent of a feature',
    success: ok('Their names', z.array(z.string()).meta({ id: 'parentFeatureOptionsSchema' })),
    errors: [],
    run: ({ params, tables }) => ({ body: parentOptions(tables, tables.features.get(params.featureName)) }),
  }),

  listParentVariantOptions: get(`${featurePath}/parent-variants`, {
    summary: 'List the variants of a feature that its children can depend on',
    success: ok('Their names', z.array(z.string()).meta({ id: 'parentVariantOptionsSchema' })),
    errors: [],
    run: ({ params, tables }) => ({ body: variantNames(tables.features.get(params.featureName)) }),
  }),

  checkDependenciesExist: get('/api/admin/projects/:projectId/dependencies', {
    summary: 'Check whether any feature of any project depends on another',
    success: ok('Whether a dependency exists', z.boolean().meta({ id: 'dependenciesExistSchema' })),
    errors: [],
    run: ({ tables }) => ({ body: tables.features.list().some(({ dependencies }) => dependencies.length > 0) }),
  }),
})
