import type { Profile } from '../../contract/profile.js'
import { DAY } from '../../support/calendar.js'
import type { Frozen } from '../../support/freeze.js'
import type { OperationContext, Tables } from '../shared/context.js'
import type { OnboardingStatus, ProjectRecord, ProjectStats } from './projects.js'

type Stored = Frozen<ProjectRecord>

/** The length of the two windows that are compared: the current one and the one before. */
const WINDOW = 30 * DAY

/** The time of the latest event about a feature of a project. */
export function latestEventAt({ id }: Stored, { events, features }: Tables): string | null {
  for (const { project, featureName, createdAt } of events.newestFirst()) {
    if (project === id && featureName !== null && features.get(featureName)?.project === id) return createdAt
  }
  return null
}

/** The number of events in a project on each day of the last year with any, oldest day first. */
export function activityByDate({ id }: Stored, tables: Tables, now: Date): { date: string; count: number }[] {
  const yearAgo = new Date(now)
  yearAgo.setUTCFullYear(now.getUTCFullYear() - 1)
  const counts = new Map<string, number>()
  for (const { project, createdAt } of tables.events.newestFirst()) {
    const date = createdAt.slice(0, 10)
    if (project === id && Date.parse(createdAt) >= yearAgo.getTime()) counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return [...counts].map(([date, count]) => ({ date, count })).toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

/** What happened in a project in the last 30 days, and in the 30 days before. */
function statsOf({ id }: Stored, { tables, now }: Pick<OperationContext, 'tables' | 'now'>): ProjectStats {
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

/** The stats that responses show: none where a job counts some time later. */
export function shownStats(
  project: Stored,
  context: Pick<OperationContext, 'tables' | 'now'>,
  { projects }: Profile,
): ProjectStats {
  return projects.countsLater ? noStats : statsOf(project, context)
}

/** The stats of a project before anything was counted. */
const noStats: ProjectStats = {
  avgTimeToProdCurrentWindow: 0,
  createdCurrentWindow: 0,
  createdPastWindow: 0,
  archivedCurrentWindow: 0,
  archivedPastWindow: 0,
  projectActivityCurrentWindow: 0,
  projectActivityPastWindow: 0,
  projectMembersAddedCurrentWindow: 0,
}

/** How far a project has come: still empty, with a first flag, with an SDK that asks for flags, with a flag switched on. */
export function onboardingStatus({ id }: Stored, tables: Tables): OnboardingStatus {
  if (hasSdk(id, tables)) return { status: hasSwitchedOn(id, tables) ? 'onboarded' : 'sdk-connected' }
  const features = tables.features.by('activeInProject', id)
  if (features.length === 0) return { status: 'onboarding-started' }
  const first = features.reduce((earliest, feature) => (feature.createdAt < earliest.createdAt ? feature : earliest))
  return { status: 'first-flag-created', feature: first.name }
}

/** Whether an SDK has connected with a token for the project, or has reported metrics of one of its flags. */
function hasSdk(project: string, { clientInstances, features }: Tables): boolean {
  return (
    clientInstances.list().some(({ projects }) => projects.includes(project)) ||
    features
      .by('project', project)
      .some(({ environments }) => environments.some(({ lastSeenAt }) => lastSeenAt !== null))
  )
}

function hasSwitchedOn(project: string, { events }: Tables): boolean {
  for (const event of events.newestFirst()) {
    if (event.project === project && event.type === 'feature-environment-enabled') return true
  }
  return false
}
