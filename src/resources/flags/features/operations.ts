import { fail, ok, okUnless } from '../../../support/result.js'
import { checkFeatureLimit, checkNaming } from '../../projects/projects/checks.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { schemaForTypes } from '../feature-types/lookup.js'
import { linksFromTemplates } from '../links/rules.js'
import { checkTagsExist } from '../tags/checks.js'
import { logCreation } from './actions.js'
import { checkNameIsFree } from './checks.js'
import { environmentNames } from './lookup.js'
import { changedFeatureView } from './present.js'
import { createFeatureRecord } from './rules.js'
import { createFeatureSchema, createFeatureSchemaWith, featureName, validateFeatureSchema } from './schema.js'

const tag = 'Features'

const createFeature = defineOperation({
  id: 'createFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features',
  summary: 'Create a feature, disabled in every environment of its project',
  tag,
  permission: 'CREATE_FEATURE',
  body: createFeatureSchema,
  bodyFor: (tables) => schemaForTypes(tables, createFeatureSchema, createFeatureSchemaWith),
  success: { status: 201, description: 'The feature', view: changedFeatureView },
  errors: [404, 409],
  run: ({ params, body, context }) => {
    const { tables, caller } = context
    const illegal = featureName.check(body.name)
    if (illegal) return fail(illegal)
    const project = findActiveProject(tables, params.projectId)
    if (!project.ok) return project
    const failure =
      checkNameIsFree(tables, body.name) ??
      checkNaming(project.value, body.name) ??
      checkFeatureLimit(tables, project.value.id) ??
      checkTagsExist(tables, body.tags ?? [])
    if (failure) return fail(failure)

    const feature = createFeatureRecord(
      { ...body, createdAt: body.createdAt && toInstant(body.createdAt) },
      {
        now: toInstant(context.now),
        actor: caller.actor,
        project: project.value.id,
        environments: environmentNames(tables, project.value.id),
        links: linksFromTemplates(project.value, body.name, () => context.ids.ulid(context.now.getTime())),
      },
    )
    tables.features.insert(feature)
    logCreation(context, feature)
    return ok({ body: feature })
  },
})

const validateFeature = defineOperation({
  id: 'validateFeature',
  method: 'POST',
  path: '/api/admin/features/validate',
  summary: 'Check whether a name can be given to a feature, in a project if one is named',
  tag,
  body: validateFeatureSchema,
  success: { status: 200, description: 'The name can be used' },
  errors: [409],
  run: ({ body, context: { tables } }) => {
    const project = tables.projects.get(body.projectId ?? '')
    return okUnless(
      featureName.check(body.name) ??
        checkNameIsFree(tables, body.name) ??
        (project && checkNaming(project, body.name)),
    )
  },
})

export const featureOperations = [createFeature, validateFeature] as const
