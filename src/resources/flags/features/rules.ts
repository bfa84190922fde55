import type { DataFault } from '../../../contract/mock-errors.js'
import { type Frozen, none } from '../../../support/freeze.js'
import { duplicateFaults } from '../../shared/rules.js'
import type { Actor } from '../../shared/schema.js'
import type { FeatureEnvironment } from '../feature-environments/schema.js'
import { enterStage } from '../lifecycle/rules.js'
import type { FeatureRecord } from './schema.js'

export type Source = Frozen<FeatureRecord>

/** Everything about a new feature that a pure rule can't find out itself: the time, the caller, the place and new ids. */
export interface CreationContext {
  now: string
  actor: Actor
  project: string
  /** The names of its environments, in order. */
  environments: readonly string[]
  links?: FeatureRecord['links']
  newStrategyId: () => string
}

/** What the caller can set on a new feature. */
interface FeatureInput {
  name: string
  type?: string | undefined
  description?: string | null | undefined
  impressionData?: boolean | undefined
  stale?: boolean | undefined
  archived?: boolean | undefined
  /** As stored: UTC, with milliseconds. */
  createdAt?: string | undefined
  tags?: FeatureRecord['tags'] | undefined
}

/** A new feature: disabled in every environment, without strategies. */
export function createFeatureRecord(
  input: FeatureInput,
  { now, actor, project, environments, links = none }: Omit<CreationContext, 'newStrategyId'>,
): FeatureRecord {
  return {
    name: input.name,
    type: input.type ?? 'release',
    description: input.description || null,
    project,
    stale: input.stale ?? false,
    impressionData: input.impressionData ?? false,
    archived: input.archived ?? false,
    archivedAt: input.archived ? now : null,
    createdAt: input.createdAt ?? now,
    createdBy: actor,
    lastSeenAt: null,
    lifecycle: { stage: 'initial', enteredStageAt: now },
    pastStages: none,
    dependencies: none,
    collaborators: { users: [actor] },
    tags: input.tags ?? none,
    links,
    environments: environments.map((name) => emptyEnvironment(name)),
  }
}

export function emptyEnvironment(name: string, enabled = false): FeatureEnvironment {
  return { name, enabled, lastSeenAt: null, strategies: none, variants: none }
}

/** The feature, archived at an instant and disabled everywhere. */
export function archiveFeatureRecord(feature: Source, now: string): Source {
  return {
    ...feature,
    archived: true,
    archivedAt: now,
    ...enterStage(feature, { stage: 'archived', enteredStageAt: now }),
    environments: feature.environments.map((environment) => ({ ...environment, enabled: false })),
  }
}

/** An archived feature, revived: disabled everywhere, at the first stage of its lifecycle. */
export function reviveFeatureRecord(feature: Source, now: string): Source {
  const lifecycle = { stage: 'initial', enteredStageAt: now } as const
  return { ...feature, archived: false, archivedAt: null, lifecycle, pastStages: [] }
}

/** What the caller of an update can set. Omitted fields return to their defaults. */
interface FeatureUpdate {
  type?: string | undefined
  description?: string | null | undefined
  impressionData?: boolean | undefined
  stale?: boolean | undefined
  archived?: boolean | undefined
}

export function updateFeatureRecord(feature: Source, input: FeatureUpdate, now: string): Source {
  const changed = {
    ...feature,
    type: input.type ?? 'release',
    description: input.description || null,
    impressionData: input.impressionData ?? false,
    stale: input.stale ?? false,
  }
  return input.archived ? archiveFeatureRecord(changed, now) : changed
}

interface GivenFeature {
  archived?: boolean | undefined
  archivedAt?: string | null | undefined
  environments?: readonly { name: string }[] | object | undefined
}

/** What is wrong with a feature in given state, besides what it points at. */
export function faultsOfGiven(
  feature: Source,
  { archived, archivedAt, environments }: GivenFeature,
  find: (name: string) => Source | undefined,
): readonly DataFault[] {
  const faults: DataFault[] = []
  if (archived !== undefined && archivedAt !== undefined && archived !== (archivedAt !== null)) {
    const message = `is ${archived}, but archivedAt is ${archivedAt === null ? 'null' : `"${archivedAt}"`}: give only one of them`
    faults.push({ path: 'archived', message })
  }
  if (Array.isArray(environments) && environments.length > 1) {
    const names = environments.map(({ name }: { name: string }) => name)
    faults.push(...duplicateFaults('environments', names))
  }
  const circle = feature.dependencies.length === 0 ? undefined : circleOf(feature, find)
  if (circle !== undefined) {
    faults.push({ path: 'dependencies', message: `lead in a circle: ${circle.join(' → ')}` })
  }
  return faults
}

/** The names on the way from a feature through its parents back to itself. */
function circleOf(feature: Source, find: (name: string) => Source | undefined): string[] | undefined {
  const seen = new Set<string>()
  const search = (one: Source, path: readonly string[]): string[] | undefined => {
    for (const { feature: parent } of one.dependencies) {
      if (parent === feature.name) return [...path, parent]
      if (seen.has(parent)) continue
      seen.add(parent)
      const next = find(parent)
      const found = next === undefined ? undefined : search(next, [...path, parent])
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(feature, [feature.name])
}
