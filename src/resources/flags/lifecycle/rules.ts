import type { Frozen } from '../../../support/freeze.js'
import type { Lifecycle, StageCounts } from './schema.js'

interface Life {
  lifecycle: Frozen<Lifecycle>
  pastStages: readonly Frozen<Lifecycle>[]
}

/** Enters a stage; the current one becomes a past one. */
export function enterStage({ lifecycle, pastStages }: Life, stage: Lifecycle): Life {
  return { lifecycle: stage, pastStages: [...pastStages, lifecycle] }
}

/** The feature back at its previous stage if it is completed, otherwise unchanged. */
export function leaveCompleted<Feature extends Life>(feature: Feature): Feature {
  const { lifecycle, pastStages } = feature
  if (lifecycle.stage !== 'completed') return feature
  return { ...feature, lifecycle: pastStages.at(-1) ?? lifecycle, pastStages: pastStages.slice(0, -1) }
}

export function countStages(features: readonly { archived: boolean; lifecycle: Frozen<Lifecycle> }[]): StageCounts {
  const stages = features.map(({ archived, lifecycle }) => (archived ? 'archived' : lifecycle.stage))
  const count = (stage: Lifecycle['stage']) => stages.filter((it) => it === stage).length
  return {
    initial: count('initial'),
    preLive: count('pre-live'),
    live: count('live'),
    completed: count('completed'),
    archived: count('archived'),
  }
}
