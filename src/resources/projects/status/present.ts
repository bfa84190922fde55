import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { OperationContext } from '../../shared/context.js'
import { activityByDate } from '../activity/lookup.js'
import { memberCount, RATING } from '../projects/present.js'
import type { ProjectRecord } from '../projects/schema.js'

/** How a project is: what belongs to it, what happened in it, in which stages of life its flags are. */
export function presentStatus(
  project: Frozen<ProjectRecord>,
  { tables, now }: Pick<OperationContext, 'tables' | 'now'>,
) {
  const features = tables.features.by('project', project.id)
  const apiTokens = tables.apiTokens.list().filter(({ projects }) => projects.includes(project.id))
  const segments = tables.segments.list().filter((segment) => segment.project === project.id)
  return {
    resources: { members: memberCount(project), apiTokens: apiTokens.length, segments: segments.length },
    activityCountByDate: activityByDate(project, tables),
    health: { current: RATING.health },
    technicalDebt: { current: RATING.technicalDebt },
    lifecycleSummary: lifecycleSummary(features, now),
    staleFlags: { total: features.filter(({ archived, stale }) => stale && !archived).length },
  }
}

function lifecycleSummary(features: readonly Frozen<FeatureRecord>[], now: Date) {
  const inStage = (stage: FeatureRecord['lifecycle']['stage']) => ({
    averageDays: null,
    currentFlags: features.filter(({ archived, lifecycle }) => !archived && lifecycle.stage === stage).length,
  })
  const archived = features.flatMap(({ archivedAt }) => archivedAt ?? [])
  const monthAgo = now.getTime() - 30 * DAY
  return {
    initial: inStage('initial'),
    preLive: inStage('pre-live'),
    live: inStage('live'),
    completed: inStage('completed'),
    archived: {
      currentFlags: archived.length,
      last30Days: archived.filter((instant) => Date.parse(instant) >= monthAgo).length,
    },
  }
}
