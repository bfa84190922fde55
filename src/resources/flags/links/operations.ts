import { badData, type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { Tables } from '../../shared/context.js'
import { defineOperation } from '../../shared/operation.js'
import { saveFeature } from '../features/actions.js'
import { findFeatureInProject } from '../features/lookup.js'
import type { FeatureRecord } from '../features/schema.js'
import { normalizedUrl, presentLink } from './rules.js'
import { type FeatureLink, linkSchema } from './schema.js'

const tag = 'Links'

const createFeatureLink = defineOperation({
  id: 'createFeatureLink',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/link',
  summary: 'Add a link to a feature',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: linkSchema,
  success: { status: 204, description: 'The link is added' },
  errors: [404],
  run: ({ params, body: { url: sent, title = null }, context }) => {
    const found = findFeatureInProject(context.tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const url = normalizedUrl(sent)
    if (url === undefined) return fail(notAUrl(sent))
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
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  body: linkSchema,
  success: { status: 204, description: 'The link is changed' },
  errors: [404],
  run: ({ params, body: { url: sent, title = null }, context }) => {
    const found = findLink(context.tables, params)
    if (!found.ok) return found
    const url = normalizedUrl(sent)
    if (url === undefined) return fail(notAUrl(sent))
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
  summary: 'Take a link away from a feature',
  tag,
  access: 'admin',
  permission: 'UPDATE_FEATURE',
  success: { status: 204, description: 'The link is gone' },
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

function notAUrl(sent: string): Failure {
  return badData(`A link must be a URL, such as "https://example.com/page"; "${sent}" was sent.`, '/body/url')
}

interface Found {
  feature: Frozen<FeatureRecord>
  link: Frozen<FeatureLink>
}

function findLink(
  tables: Tables,
  { projectId, featureName, linkId }: { projectId: string; featureName: string; linkId: string },
): Result<Found, Failure> {
  const feature = findFeatureInProject(tables, featureName, projectId)
  if (!feature.ok) return feature
  const link = feature.value.links.find(({ id }) => id === linkId)
  return link === undefined
    ? fail(notFound(`The feature "${featureName}" has no link "${linkId}".`))
    : ok({ feature: feature.value, link })
}

export const linkOperations = [createFeatureLink, updateFeatureLink, deleteFeatureLink] as const
