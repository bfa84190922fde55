import { DAY } from '../../../support/duration.js'
import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import type { ProjectRecord, ProjectStats } from '../projects/schema.js'

type Stored = Frozen<ProjectRecord>

/** The length of the time that is compared with as long a time before. */
const WINDOW = 30 * DAY

/** When something last happened in a project. */
export function latestEventAt({ id }: Stored, tables: Tables): string | null {
  for (const event of tables.events.newestFirst()) if (event.project === id) return event.createdAt
  return null
}

/** How much happened in a project on each day, the first day first. */
export function activityByDate({ id }: Stored, tables: Tables): { date: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { project, createdAt } of tables.events.newestFirst()) {
    const date = createdAt.slice(0, 10)
    if (project === id) counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return [...counts].map(([date, count]) => ({ date, count })).reverse()
}

/** What happened in a project in the last 30 days, and in the 30 days before. */
export function statsOf({ id }: Stored, { tables, now }: Pick<OperationContext, 'tables' | 'now'>): ProjectStats {
  const features = tables.features.by('project', id)
  const created = features.map(({ createdAt }) => createdAt)
  const archived = features.flatMap(({ archivedAt }) => archivedAt ?? [])
  const events = [...tables.events.newestFirst()].filter(({ project }) => project === id)
  const happened = events.map(({ createdAt }) => createdAt)
  const within = (instants: readonly string[], windowsAgo: number) =>
    instants.filter((instant) => Math.floor((now.getTime() - Date.parse(instant)) / WINDOW) === windowsAgo).length
  return {
    ...noStats,
    createdCurrentWindow: within(created, 0),
    createdPastWindow: within(created, 1),
    archivedCurrentWindow: within(archived, 0),
    archivedPastWindow: within(archived, 1),
    projectActivityCurrentWindow: within(happened, 0),
    projectActivityPastWindow: within(happened, 1),
  }
}

/** What is known of a project before anything was counted. */
export const noStats: ProjectStats = {
  avgTimeToProdCurrentWindow: 0,
  createdCurrentWindow: 0,
  createdPastWindow: 0,
  archivedCurrentWindow: 0,
  archivedPastWindow: 0,
  projectActivityCurrentWindow: 0,
  projectActivityPastWindow: 0,
  projectMembersAddedCurrentWindow: 0,
}

/** How many flags of a project there are of each type. */
export function typeCounts(features: readonly Frozen<FeatureRecord>[]): { type: string; count: number }[] {
  const types = [...new Set(features.map(({ type }) => type))].toSorted()
  return types.map((type) => ({ type, count: features.filter((feature) => feature.type === type).length }))
}
