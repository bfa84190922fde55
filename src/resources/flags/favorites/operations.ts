import { ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { findActiveInProject } from '../features/lookup.js'
import { addFavorite, removeFavorite } from './actions.js'

const tag = 'Favorites'

const addFavoriteFeature = defineOperation({
  id: 'addFavoriteFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/favorites',
  summary: 'Make a feature a favorite of the caller',
  tag,
  success: { status: 200, description: 'The feature is a favorite' },
  errors: [404],
  run: ({ params: { projectId, featureName }, context }) => {
    const found = findActiveInProject(context.tables, featureName, projectId)
    if (!found.ok) return found
    addFavorite(context, 'feature', featureName)
    logEvent(context, { type: 'feature-favorited', data: { feature: featureName }, project: null }, found.value)
    return ok({})
  },
})

const removeFavoriteFeature = defineOperation({
  id: 'removeFavoriteFeature',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName/favorites',
  summary: "Remove a feature from the caller's favorites",
  tag,
  success: { status: 200, description: 'The feature is not a favorite' },
  errors: [404],
  run: ({ params: { projectId, featureName }, context }) => {
    const found = findActiveInProject(context.tables, featureName, projectId)
    if (!found.ok) return found
    removeFavorite(context, 'feature', featureName)
    logEvent(context, { type: 'feature-unfavorited', data: { feature: featureName }, project: null }, found.value)
    return ok({})
  },
})

const addFavoriteProject = defineOperation({
  id: 'addFavoriteProject',
  method: 'POST',
  path: '/api/admin/projects/:projectId/favorites',
  summary: 'Make a project a favorite of the caller',
  tag,
  success: { status: 200, description: 'The project is a favorite' },
  errors: [404],
  run: ({ params: { projectId: project }, context }) => {
    const found = findActiveProject(context.tables, project)
    if (!found.ok) return found
    addFavorite(context, 'project', project)
    logEvent(context, { type: 'project-favorited', project, data: { project } })
    return ok({})
  },
})

const removeFavoriteProject = defineOperation({
  id: 'removeFavoriteProject',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/favorites',
  summary: "Remove a project from the caller's favorites",
  tag,
  success: { status: 200, description: 'The project is not a favorite' },
  errors: [404],
  run: ({ params: { projectId: project }, context }) => {
    const found = findActiveProject(context.tables, project)
    if (!found.ok) return found
    removeFavorite(context, 'project', project)
    logEvent(context, { type: 'project-unfavorited', project, data: { project } })
    return ok({})
  },
})

export const favoriteOperations = [
  addFavoriteFeature,
  removeFavoriteFeature,
  addFavoriteProject,
  removeFavoriteProject,
] as const
