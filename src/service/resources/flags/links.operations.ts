import { badData, type Failure, notFound, reject } from '../../contract/errors.js'
import type { Tables } from '../shared/context.js'
import { del, operations, post, put } from '../shared/rows.js'
import { type FeatureParams, featurePath, findActiveInProject, findFeature, saveFeature } from './features.model.js'
import { linkSchema, MOST_LINKS, presentLink } from './links.js'

const SCHEME = /^[a-z][a-z\d+.-]*:/i

/** A URL in the stored form, with a scheme and without a trailing slash; undefined for text that can't be a URL. */
export function normalizedUrl(sent: string): string | undefined {
  const text = sent.trim()
  const url = SCHEME.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : undefined
}

function findLink(tables: Tables, { featureName, linkId }: FeatureParams & { linkId: string }) {
  const feature = findFeature(tables, featureName)
  const link =
    feature.links.find(({ id }) => id === linkId) ??
    reject(notFound(`The feature "${featureName}" has no link "${linkId}".`))
  return { feature, link }
}

/** The names in the path, for an event. */
function placeOf({ projectId: project, featureName }: FeatureParams) {
  return { project, featureName }
}

/** Fails if a feature can't have so many links. */
export function checkLinkCount(count: number): Failure | undefined {
  if (count <= MOST_LINKS) return undefined
  return { kind: 'operationDenied', message: `A feature can't have more than ${MOST_LINKS} links.` }
}

export const linkOperations = operations('Links', {
  createFeatureLink: post(`${featurePath}/link`, {
    summary: 'Add a link to a feature',
    permission: 'UPDATE_FEATURE',
    body: linkSchema,
    success: { status: 204, description: 'The link is added' },
    errors: [403, 404],
    run: ({ params, body: { url: sent, title }, context }) => {
      const { name, project: projectId } = findFeature(context.tables, params.featureName)
      const feature = findActiveInProject(context.tables, { featureName: name, projectId })
      reject(checkLinkCount(feature.links.length + 1))
      const url = normalizedUrl(sent) ?? notAUrl(sent)
      const link = { id: context.ids.ulid(context.now.getTime()), url, title: title ?? null }
      const data = title === undefined ? { url } : { url, title }
      saveFeature(context, { ...feature, links: [...feature.links, link] }, [
        { type: 'feature-link-added', data, ...placeOf(params) },
      ])
    },
  }),

  updateFeatureLink: put(`${featurePath}/link/:linkId`, {
    summary: 'Change a link of a feature',
    permission: 'UPDATE_FEATURE',
    body: linkSchema,
    success: { status: 204, description: 'The link is changed' },
    run: ({ params, body: { url: sent, title: sentTitle }, context }) => {
      const url = normalizedUrl(sent) ?? notAUrl(sent)
      const { feature, link } = findLink(context.tables, params)
      const title = sentTitle === undefined ? link.title : sentTitle
      const changed = { id: link.id, url, title }
      const links = feature.links.map((one) => (one.id === link.id ? changed : one))
      saveFeature(context, { ...feature, links }, [
        { type: 'feature-link-updated', data: presentLink(changed), preData: presentLink(link), ...placeOf(params) },
      ])
    },
  }),

  deleteFeatureLink: del(`${featurePath}/link/:linkId`, {
    summary: 'Delete a link of a feature',
    permission: 'UPDATE_FEATURE',
    success: { status: 204, description: 'The link is deleted' },
    run: ({ params, context }) => {
      const { feature, link } = findLink(context.tables, params)
      const links = feature.links.filter(({ id }) => id !== link.id)
      saveFeature(context, { ...feature, links }, [
        { type: 'feature-link-removed', data: null, preData: presentLink(link), project: params.projectId },
      ])
    },
  }),
})

function notAUrl(sent: string): never {
  reject(badData(`A link must be a URL, such as "https://example.com/page"; "${sent}" was sent.`, '/body/url'))
}
