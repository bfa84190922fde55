import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import type { OnboardingStatus, ProjectRecord } from '../projects/schema.js'

/** How far a project has come: nothing in it yet, its first flag, an SDK that asks for its flags, one of them switched on. */
export function onboardingStatus({ id }: Frozen<ProjectRecord>, tables: Tables): OnboardingStatus {
  if (hasSdk(id, tables)) return { status: hasSwitchedOn(id, tables) ? 'onboarded' : 'sdk-connected' }
  const features = tables.features.by('activeInProject', id)
  if (features.length === 0) return { status: 'onboarding-started' }
  const first = features.reduce((earliest, feature) => (feature.createdAt < earliest.createdAt ? feature : earliest))
  return { status: 'first-flag-created', feature: first.name }
}

/** Whether an SDK has come with a token for the project, or has counted one of its flags. */
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
