import type { Frozen } from '../../../support/freeze.js'
import type { Lifecycle, StageCounts } from './schema.js'

interface Life {
  lifecycle: Frozen<Lifecycle>
  pastStages: readonly Frozen<Lifecycle>[]
}

/** A life with a new stage; the one before becomes a past one. */
export function enterStage({ lifecycle, pastStages }: Life, stage: Lifecycle): Life {
  return { lifecycle: stage, pastStages: [...pastStages, lifecycle] }
}

/** A life back at the stage before this one. */
export function leaveStage({ lifecycle, pastStages }: Life): Life {
  return { lifecycle: pastStages.at(-1) ?? lifecycle, pastStages: pastStages.slice(0, -1) }
}

/** How many features are at each stage of life. */
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
