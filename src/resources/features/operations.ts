import { fail, ok } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import { findActiveProject } from '../projects/rules.js'
import { cloneChecks } from './clone-checks.js'
import { logArchiving, logCreation } from './log.js'
import { checkNameIsFree, environmentNames, findFeature, findFeatureInProject, findInProject } from './lookup.js'
import { checkName } from './name.js'
import { presentFeature, presentListedFeature, presentNewFeature } from './present.js'
import { archiveFeatureRecord, cloneFeatureRecord, createFeatureRecord } from './rules.js'
import {
  cloneFeatureSchema,
  createFeatureSchema,
  featureSchema,
  featureSummarySchema,
  projectFeaturesSchema,
} from './schema.js'

const tag = 'Features'
const newFeatureSchemas = { document: featureSchema, service: featureSummarySchema }

export const cloneFeature = defineOperation({
  id: 'cloneFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/clone',
  summary: 'Copy a feature under a new name, into the project of the path',
  tag,
  access: 'admin',
  permission: 'CREATE_FEATURE',
  body: cloneFeatureSchema,
  success: { status: (profile) => profile.clone.status, description: 'The copy', schema: newFeatureSchemas },
  errors: [400, 401, 403, 404, 409, 413, 415],
  run: ({ params, body, world, profile }) => {
    const { tables, caller } = world
    const source = profile.clone.acrossProjects
      ? findFeature(tables, params.featureName)
      : findInProject(tables, params.featureName, params.projectId)
    if (!source.ok) return source
    const { projectId } = params
    for (const check of profile.clone.checks) {
      const refusal = cloneChecks[check]({ source: source.value, name: body.name, projectId, world })
      if (refusal) return fail(refusal)
    }

    const copy = cloneFeatureRecord(
      source.value,
      { name: body.name, replaceGroupId: body.replaceGroupId ?? true },
      {
        now: world.now.toISOString(),
        actor: caller.actor,
        project: projectId,
        environments: environmentNames(tables, projectId),
        newStrategyId: () => world.ids.ulid(world.now.getTime()),
      },
    )
    tables.features.insert(copy)
    logCreation(world, copy)
    return ok({ body: presentNewFeature[profile.shapes](copy, tables) })
  },
})

export const createFeature = defineOperation({
  id: 'createFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features',
  summary: 'Create a feature, off in every environment of its project',
  tag,
  access: 'admin',
  permission: 'CREATE_FEATURE',
  body: createFeatureSchema,
  success: { status: 201, description: 'The feature', schema: newFeatureSchemas },
  errors: [400, 401, 403, 404, 409, 413, 415],
  run: ({ params, body, world, profile }) => {
    const { tables, caller } = world
    const illegal = checkName(body.name)
    if (illegal) return fail(illegal)
    const project = findActiveProject(tables, params.projectId)
    if (!project.ok) return project
    const taken = checkNameIsFree(tables, body.name)
    if (taken) return fail(taken)

    const feature = createFeatureRecord(body, {
      now: world.now.toISOString(),
      actor: caller.actor,
      project: project.value.id,
      environments: environmentNames(tables, project.value.id),
    })
    tables.features.insert(feature)
    logCreation(world, feature)
    return ok({ body: presentNewFeature[profile.shapes](feature, tables) })
  },
})

export const getFeatures = defineOperation({
  id: 'getFeatures',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features',
  summary: 'The features of a project that are not archived',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The features', schema: projectFeaturesSchema },
  errors: [400, 401],
  run: ({ params, world: { tables } }) => {
    const features = tables.features
      .by('activeInProject', params.projectId)
      .map((feature) => presentListedFeature(feature, tables))
    return ok({ body: { version: 2, features } })
  },
})

export const getFeature = defineOperation({
  id: 'getFeature',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'One feature, with its environments, strategies and variants',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The feature', schema: featureSchema },
  errors: [400, 401, 404],
  run: ({ params, world: { tables } }) => {
    const feature = findFeatureInProject(tables, params.featureName, params.projectId)
    return feature.ok ? ok({ body: presentFeature(feature.value, tables) }) : feature
  },
})

export const archiveFeature = defineOperation({
  id: 'archiveFeature',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'Archive a feature; its name stays taken',
  tag,
  access: 'admin',
  permission: 'DELETE_FEATURE',
  success: { status: 202, description: 'The feature is archived' },
  errors: [400, 401, 403, 404],
  run: ({ params, world }) => {
    const { tables } = world
    const feature = findFeatureInProject(tables, params.featureName, params.projectId)
    if (!feature.ok) return feature
    const children = tables.features.by('parent', params.featureName).filter(({ archived }) => !archived)
    if (children.length > 0) {
      const names = children.map(({ name }) => `"${name}"`).join(', ')
      const message = `The feature "${params.featureName}" has dependants (${names}) and can't be archived before them.`
      return fail({ kind: 'invalidOperation', message })
    }
    tables.features.replace(archiveFeatureRecord(feature.value, world.now.toISOString()))
    logArchiving(world, feature.value)
    return ok({})
  },
})
