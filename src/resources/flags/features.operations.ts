import { reject } from '../../contract/errors.js'
import { checkFeatureLimit, checkNaming, findActiveProject } from '../projects/projects.operations.js'
import { operations, post } from '../shared/rows.js'
import { toInstant } from '../shared/schema.js'
import { schemaForTypes } from './feature-types.operations.js'
import {
  createFeatureRecord,
  createFeatureSchema,
  createFeatureSchemaWith,
  featureName,
  validateFeatureSchema,
} from './features.js'
import { changedFeatureView, checkNameIsFree, environmentNames, logCreation } from './features.model.js'
import { linksFromTemplates } from './links.operations.js'
import { checkTagsExist } from './tags.operations.js'

export const featureOperations = operations('Features', {
  createFeature: post('/api/admin/projects/:projectId/features', {
    summary: 'Create a feature, disabled in every environment of its project',
    permission: 'CREATE_FEATURE',
    body: createFeatureSchema,
    bodyFor: (tables) => schemaForTypes(tables, createFeatureSchema, createFeatureSchemaWith),
    success: { status: 201, description: 'The feature', view: changedFeatureView },
    errors: [404, 409],
    run: ({ params, body, context }) => {
      const { tables, caller } = context
      reject(featureName.check(body.name))
      const project = findActiveProject(tables, params.projectId)
      reject(
        checkNameIsFree(tables, body.name) ??
          checkNaming(project, body.name) ??
          checkFeatureLimit(tables, project.id) ??
          checkTagsExist(tables, body.tags ?? []),
      )

      const feature = createFeatureRecord(
        { ...body, createdAt: body.createdAt && toInstant(body.createdAt) },
        {
          now: toInstant(context.now),
          actor: caller.actor,
          project: project.id,
          environments: environmentNames(tables, project.id),
          links: linksFromTemplates(project, body.name, () => context.ids.ulid(context.now.getTime())),
        },
      )
      tables.features.insert(feature)
      logCreation(context, feature)
      return { body: feature }
    },
  }),

  validateFeature: post('/api/admin/features/validate', {
    summary: 'Check whether a name can be given to a feature, in a project if one is named',
    body: validateFeatureSchema,
    success: { status: 200, description: 'The name can be used' },
    errors: [409],
    run: ({ body, context: { tables } }) => {
      const project = tables.projects.get(body.projectId ?? '')
      reject(
        featureName.check(body.name) ??
          checkNameIsFree(tables, body.name) ??
          (project && checkNaming(project, body.name)),
      )
    },
  }),
})
