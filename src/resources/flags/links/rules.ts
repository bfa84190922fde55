import type { Frozen } from '../../../support/freeze.js'
import type { ProjectRecord } from '../../projects/projects/schema.js'
import type { OperationContext } from '../../shared/context.js'
import type { FeatureLink } from './schema.js'

/** The links that a project gives each new feature. */
export function linksFromTemplates(
  project: Frozen<ProjectRecord> | undefined,
  feature: string,
  { ids, now }: Pick<OperationContext, 'ids' | 'now'>,
): FeatureLink[] {
  return (project?.linkTemplates ?? []).map(({ title, urlTemplate }) => ({
    id: ids.ulid(now.getTime()),
    url: urlTemplate.replaceAll('{{project}}', project?.id ?? '').replaceAll('{{feature}}', feature),
    title,
  }))
}

/** A link as events tell of it. */
export function presentLink({ url, title }: Frozen<FeatureLink>) {
  return { url, title }
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i

/** A URL as links keep it: with a scheme, without a slash at its end; undefined if it can't be one. */
export function normalizedUrl(sent: string): string | undefined {
  const text = sent.trim()
  const url = SCHEME.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : undefined
}
