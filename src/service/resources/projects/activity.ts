import { DAY, intoCalendar } from '../../../support/calendar.js'
import { ascending } from '../shared/checks.js'
import type { AtATime, Tables } from '../shared/context.js'
import { toInstant } from '../shared/schema.js'
import { type OnboardingStatus, type ProjectStats, type StoredProject, statsSchema } from './projects.js'

/** The length of the two compared windows: the current window and the window before. */
const WINDOW = 30 * DAY

/** The time of the latest event about a feature of a project. */
export function latestEventAt({ id }: StoredProject, { events, features }: Tables): string | null {
  const latest = events.cache.answer('the latest event in each project', [features.version], () => {
    const found = new Map<string, string>()
    for (const { project, featureName, createdAt } of events.newestFirst()) {
      if (project === null || featureName === null || found.has(project)) continue
      if (features.get(featureName)?.project === project) found.set(project, createdAt)
    }
    return found
  })
  return latest.get(id) ?? null
}

/** The latest time at which a flag of a project was reported in use. */
export function lastUsageOf({ id }: StoredProject, { features }: Tables): string | null {
  return features.cache.answer(`the latest usage in ${id}`, [], () =>
    features
      .by('project', id)
      .flatMap(({ environments }) => environments.map(({ lastSeenAt }) => lastSeenAt))
      .reduce((latest, instant) => ((instant ?? '') > (latest ?? '') ? instant : latest), null),
  )
}

/** The number of events in a project on each day with events in the last year, oldest day first. */
export function activityByDate(
  { id }: Pick<StoredProject, 'id'>,
  { tables, now }: AtATime,
): { date: string; count: number }[] {
  const yearAgo = new Date(now)
  yearAgo.setUTCFullYear(now.getUTCFullYear() - 1)
  const counts = new Map<string, number>()
  for (const { project, createdAt } of tables.events.newestFirst()) {
    const date = createdAt.slice(0, 10)
    if (project === id && Date.parse(createdAt) >= yearAgo.getTime()) counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return [...counts].map(([date, count]) => ({ date, count })).toSorted((one, other) => ascending(one.date, other.date))
}

/** The events in a project in the last 30 days, and in the 30 days before. */
export function statsOf({ id }: StoredProject, { tables, now }: AtATime): ProjectStats {
  /** The starts of the current window and of the windows before it, newest first; each belongs to the window before. */
  const starts = [0, 1, 2].map((windows) => toInstant(intoCalendar(now.getTime() - windows * WINDOW)))
  const perWindow = (instants: readonly (string | null)[]) => {
    const counts = [0, 0]
    for (const instant of instants) {
      const windowsAgo = instant === null ? -1 : starts.findIndex((start) => instant > start) - 1
      if (windowsAgo >= 0) counts[windowsAgo] = (counts[windowsAgo] ?? 0) + 1
    }
    return counts
  }
  const features = tables.features.by('project', id)
  const events = [...tables.events.newestFirst()].filter(({ project }) => project === id)
  const [created = 0, createdBefore = 0] = perWindow(features.map(({ createdAt }) => createdAt))
  const [archived = 0, archivedBefore = 0] = perWindow(features.map(({ archivedAt }) => archivedAt))
  const [happened = 0, happenedBefore = 0] = perWindow(events.map(({ createdAt }) => createdAt))
  return {
    ...noStats,
    createdCurrentWindow: created,
    createdPastWindow: createdBefore,
    archivedCurrentWindow: archived,
    archivedPastWindow: archivedBefore,
    projectActivityCurrentWindow: happened,
    projectActivityPastWindow: happenedBefore,
  }
}

/** The stats that Unleash no longer counts. */
const noStats = Object.fromEntries(Object.keys(statsSchema.shape).map((name) => [name, 0])) as ProjectStats

/** A project's onboarding status: empty, with a first flag, with an SDK that requests flags, with an enabled flag. */
export function onboardingStatus({ id }: StoredProject, tables: Tables): OnboardingStatus {
  if (hasSdk(id, tables)) return { status: hasSwitchedOn(id, tables) ? 'onboarded' : 'sdk-connected' }
  const [any, ...others] = tables.features.by('activeInProject', id)
  if (any === undefined) return { status: 'onboarding-started' }
  const first = others.reduce((one, other) => (other.createdAt < one.createdAt ? other : one), any)
  return { status: 'first-flag-created', feature: first.name }
}

/** Whether an SDK has connected with a token for the project, or has reported metrics of one of its flags. */
function hasSdk(project: string, { clientInstances, features }: Tables): boolean {
  const connected = clientInstances.cache.answer('projects with SDKs', [], () => {
    return new Set(clientInstances.list().flatMap(({ projects }) => projects))
  })
  return (
    connected.has(project) ||
    features.cache.answer(`whether any was seen in ${project}`, [], () =>
      features.by('project', project).some(({ environments }) => environments.some((one) => one.lastSeenAt !== null)),
    )
  )
}

function hasSwitchedOn(project: string, { events }: Tables): boolean {
  const switchedOn = events.cache.answer('projects with a flag switched on', [], () => {
    const enabled = events.list().filter(({ type }) => type === 'feature-environment-enabled')
    return new Set(enabled.map((event) => event.project))
  })
  return switchedOn.has(project)
}
