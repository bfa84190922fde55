import { badData } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { saveFeature } from '../features/actions.js'
import { findActiveInProject } from '../features/lookup.js'
import { findLink } from './lookup.js'
import { presentLink } from './present.js'
import { normalizedUrl } from './rules.js'
import { linkSchema } from './schema.js'

const tag = 'Links'

/** The links that can be added to a feature. */
const MOST_LINKS = 10

const createFeatureLink = defineOperation({
  id: 'createFeatureLink',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/link',
  summary: 'Add a link to a feature',
  tag,
  permission: 'UPDATE_FEATURE',
  body: linkSchema,
  success: { status: 204, description: 'The link is added' },
  errors: [403, 404],
  run: ({ params, body: { url: sent, title = null }, context }) => {
    const found = findActiveInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    if (found.value.links.length >= MOST_LINKS) {
      return fail({ kind: 'operationDenied', message: `A feature can't have more than ${MOST_LINKS} links.` })
    }
    const url = normalizedUrl(sent)
    if (url === undefined) return notAUrl(sent)
    const link = { id: context.ids.ulid(context.now.getTime()), url, title }
    saveFeature(context, { ...found.value, links: [...found.value.links, link] }, [
      { type: 'feature-link-added', data: presentLink(link) },
    ])
    return ok({})
  },
})

const updateFeatureLink = defineOperation({
  id: 'updateFeatureLink',
  method: 'PUT',
  path: '/api/admin/projects/:projectId/features/:featureName/link/:linkId',
  summary: 'Change a link of a feature',
  tag,
  permission: 'UPDATE_FEATURE',
  body: linkSchema,
  success: { status: 204, description: 'The link is changed' },
  errors: [404],
  run: ({ params, body: { url: sent, title = null }, context }) => {
    const found = findLink(context.tables, params)
    if (!found.ok) return found
    const url = normalizedUrl(sent)
    if (url === undefined) return notAUrl(sent)
    const { feature, link } = found.value
    const changed = { id: link.id, url, title }
    const links = feature.links.map((one) => (one.id === link.id ? changed : one))
    saveFeature(context, { ...feature, links }, [
      { type: 'feature-link-updated', data: presentLink(changed), preData: presentLink(link) },
    ])
    return ok({})
  },
})

const deleteFeatureLink = defineOperation({
  id: 'deleteFeatureLink',
  method: 'DELETE',
  path: '/api/admin/projects/:projectId/features/:featureName/link/:linkId',
  summary: 'Delete a link of a feature',
  tag,
  permission: 'UPDATE_FEATURE',
  success: { status: 204, description: 'The link is deleted' },
  errors: [404],
  run: ({ params, context }) => {
    const found = findLink(context.tables, params)
    if (!found.ok) return found
    const { feature, link } = found.value
    const links = feature.links.filter(({ id }) => id !== link.id)
    saveFeature(context, { ...feature, links }, [
      { type: 'feature-link-removed', data: null, preData: presentLink(link) },
    ])
    return ok({})
  },
})

export const linkOperations = [createFeatureLink, updateFeatureLink, deleteFeatureLink] as const

function notAUrl(sent: string) {
  return fail(badData(`A link must be a URL, such as "https://example.com/page"; "${sent}" was sent.`, '/body/url'))
}
