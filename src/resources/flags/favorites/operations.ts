import { ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import type { OperationContext } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { logFeatureEvent } from '../features/log.js'
import { findFeatureInProject } from '../features/lookup.js'
import { favoriteKey } from './rules.js'
import type { FavoriteRecord } from './schema.js'

const tag = 'Favorites'

const addFavoriteFeature = defineOperation({
  id: 'addFavoriteFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/favorites',
  summary: 'Mark a feature as a favourite of the caller',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The feature is a favourite' },
  errors: [404],
  run: ({ params: { projectId, featureName }, context }) => {
    const found = findFeatureInProject(context.tables, featureName, projectId)
    if (!found.ok) return found
    mark(context, 'feature', featureName)
    logFeatureEvent(context, found.value, { type: 'feature-favorited', data: { feature: featureName }, project: null })
    return ok({})
  },
})

const removeFavoriteFeature = defineOperation({
  id: 'removeFavoriteFeature',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName/favorites',
  summary: 'Take the mark of a favourite off a feature',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The feature is no favourite' },
  errors: [404],
  run: ({ params: { projectId, featureName }, context }) => {
    const found = findFeatureInProject(context.tables, featureName, projectId)
    if (!found.ok) return found
    unmark(context, 'feature', featureName)
    logFeatureEvent(context, found.value, {
      type: 'feature-unfavorited',
      data: { feature: featureName },
      project: null,
    })
    return ok({})
  },
})

const addFavoriteProject = defineOperation({
  id: 'addFavoriteProject',
  method: 'POST',
  path: '/api/admin/projects/:projectId/favorites',
  summary: 'Mark a project as a favourite of the caller',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The project is a favourite' },
  errors: [404],
  run: ({ params: { projectId: project }, context }) => {
    const found = findActiveProject(context.tables, project)
    if (!found.ok) return found
    mark(context, 'project', project)
    logEvent(context, { type: 'project-favorited', project, data: { project } })
    return ok({})
  },
})

const removeFavoriteProject = defineOperation({
  id: 'removeFavoriteProject',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/favorites',
  summary: 'Take the mark of a favourite off a project',
  tag,
  access: 'admin',
  success: { status: 200, description: 'The project is no favourite' },
  errors: [404],
  run: ({ params: { projectId: project }, context }) => {
    const found = findActiveProject(context.tables, project)
    if (!found.ok) return found
    unmark(context, 'project', project)
    logEvent(context, { type: 'project-unfavorited', project, data: { project } })
    return ok({})
  },
})

function mark({ tables, caller }: OperationContext, kind: FavoriteRecord['kind'], name: string): void {
  tables.favorites.insert({ userId: caller.id, kind, name })
}

function unmark({ tables, caller }: OperationContext, kind: FavoriteRecord['kind'], name: string): void {
  tables.favorites.remove(favoriteKey({ userId: caller.id, kind, name }))
}

export const favoriteOperations = [
  addFavoriteFeature,
  removeFavoriteFeature,
  addFavoriteProject,
  removeFavoriteProject,
] as const
