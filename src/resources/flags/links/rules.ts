import type { Frozen } from '../../../support/freeze.js'
import type { ProjectRecord } from '../../projects/projects/schema.js'
import type { FeatureLink } from './schema.js'

/** The links that a project adds to each new feature. */
export function linksFromTemplates(
  project: Frozen<ProjectRecord> | undefined,
  feature: string,
  newId: () => string,
): FeatureLink[] {
  return (project?.linkTemplates ?? []).map(({ title, urlTemplate }) => ({
    id: newId(),
    url: urlTemplate.replaceAll('{{project}}', project?.id ?? '').replaceAll('{{feature}}', feature),
    title,
  }))
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i

/** A URL as links store it, with a scheme and without a trailing slash; undefined if the text can't be a URL. */
export function normalizedUrl(sent: string): string | undefined {
  const text = sent.trim()
  const url = SCHEME.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : undefined
}
