import { logEvent } from '../instance/events.operations.js'
import { findActiveProject } from '../projects/projects.operations.js'
import type { OperationContext } from '../shared/context.js'
import { del, operations, post } from '../shared/rows.js'
import { addFavorite, removeFavorite } from './favorites.model.js'
import type { StoredFeature } from './features.js'
import { featurePath, findFeature, saveFeature } from './features.model.js'

/** Logs an event of a favorite. Its user becomes a collaborator of the feature. */
function logOf(context: OperationContext, type: string, feature: StoredFeature): void {
  saveFeature(context, feature, [{ type, data: { feature: feature.name }, project: null }], { asGroup: false })
}

export const favoriteOperations = operations('Favorites', {
  addFavoriteFeature: post(`${featurePath}/favorites`, {
    summary: 'Make a feature a favorite of the caller',
    success: { status: 200, description: 'The feature is a favorite' },
    run: ({ params: { featureName }, context }) => {
      const found = findFeature(context.tables, featureName)
      addFavorite(context, 'feature', found.name)
      logOf(context, 'feature-favorited', found)
    },
  }),

  removeFavoriteFeature: del(`${featurePath}/favorites`, {
    summary: "Remove a feature from the caller's favorites",
    success: { status: 200, description: 'The feature is not a favorite' },
    run: ({ params: { featureName }, context }) => {
      removeFavorite(context, 'feature', featureName)
      const found = context.tables.features.get(featureName)
      const event = { type: 'feature-unfavorited', featureName, data: { feature: featureName } }
      if (found === undefined) logEvent(context, event)
      else logOf(context, event.type, found)
    },
  }),

  addFavoriteProject: post('/api/admin/projects/:projectId/favorites', {
    summary: 'Make a project a favorite of the caller',
    success: { status: 200, description: 'The project is a favorite' },
    run: ({ params: { projectId: project }, context }) => {
      findActiveProject(context.tables, project)
      addFavorite(context, 'project', project)
      logEvent(context, { type: 'project-favorited', project, data: { project } })
    },
  }),

  removeFavoriteProject: del('/api/admin/projects/:projectId/favorites', {
    summary: "Remove a project from the caller's favorites",
    success: { status: 200, description: 'The project is not a favorite' },
    errors: [404],
    run: ({ params: { projectId: project }, context }) => {
      removeFavorite(context, 'project', project)
      logEvent(context, { type: 'project-unfavorited', project, data: { project } })
    },
  }),
})
