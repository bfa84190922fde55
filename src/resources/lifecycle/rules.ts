import type { Frozen } from '../../support/freeze.js'
import type { Lifecycle } from './schema.js'

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
