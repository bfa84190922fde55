import { ok } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import { logEvent } from '../events/rules.js'
import { logFeatureEvent } from '../features/log.js'
import { findFeatureInProject } from '../features/lookup.js'
import { findActiveProject } from '../projects/rules.js'
import type { World } from '../world.js'
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
  errors: [400, 401, 404],
  run: ({ params: { projectId, featureName }, world }) => {
    const found = findFeatureInProject(world.tables, featureName, projectId)
    if (!found.ok) return found
    mark(world, 'feature', featureName)
    logFeatureEvent(world, found.value, { type: 'feature-favorited', data: { feature: featureName }, project: null })
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
  errors: [400, 401, 404],
  run: ({ params: { projectId, featureName }, world }) => {
    const found = findFeatureInProject(world.tables, featureName, projectId)
    if (!found.ok) return found
    unmark(world, 'feature', featureName)
    logFeatureEvent(world, found.value, { type: 'feature-unfavorited', data: { feature: featureName }, project: null })
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
  errors: [400, 401, 404],
  run: ({ params: { projectId: project }, world }) => {
    const found = findActiveProject(world.tables, project)
    if (!found.ok) return found
    mark(world, 'project', project)
    logEvent(world, { type: 'project-favorited', project, data: { project } })
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
  errors: [400, 401, 404],
  run: ({ params: { projectId: project }, world }) => {
    const found = findActiveProject(world.tables, project)
    if (!found.ok) return found
    unmark(world, 'project', project)
    logEvent(world, { type: 'project-unfavorited', project, data: { project } })
    return ok({})
  },
})

function mark({ tables, caller }: World, kind: FavoriteRecord['kind'], name: string): void {
  tables.favorites.insert({ userId: caller.id, kind, name })
}

function unmark({ tables, caller }: World, kind: FavoriteRecord['kind'], name: string): void {
  tables.favorites.remove(favoriteKey({ userId: caller.id, kind, name }))
}

export const favoriteOperations = [
  addFavoriteFeature,
  removeFavoriteFeature,
  addFavoriteProject,
  removeFavoriteProject,
] as const
