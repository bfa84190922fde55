import * as z from 'zod'
import { DAY } from '../../../support/calendar.js'
import type { Frozen } from '../../../support/freeze.js'
import { countBy } from '../../../support/lists.js'
import { field, given, givenShape } from '../shared/fields.js'
import { strictObject } from '../shared/object.js'
import { fixtureInstantSchema, instantSchema, named } from '../shared/schema.js'

const lifecycleStages = ['initial', 'pre-live', 'live', 'completed', 'archived'] as const

/** A lifecycle stage of a feature, and its start. */
export const lifecycleSchema = named('lifecycleSchema', () => ({
  stage: field(z.enum(lifecycleStages), 'The stage.'),
  status: field(z.string().nullable().optional(), 'The outcome of a completed feature, such as `kept` or `discarded`.'),
  enteredStageAt: given(
    instantSchema,
    fixtureInstantSchema.optional(),
    "The start of the stage. Default: the feature's creation or archiving.",
  ),
}))

export const lifecycleFixtureSchema = strictObject(() => givenShape(lifecycleSchema))

export type Lifecycle = z.infer<typeof lifecycleSchema>

export const featureLifecycleCountSchema = named('featureLifecycleCountSchema', () => ({
  initial: z.int(),
  preLive: z.int(),
  live: z.int(),
  completed: z.int(),
  archived: z.int(),
}))

interface Life {
  lifecycle: Frozen<Lifecycle>
  pastStages: readonly Frozen<Lifecycle>[]
}

/** Enters a stage for the first time; the current stage becomes a past stage. */
export function enterStage({ lifecycle, pastStages }: Life, stage: Lifecycle): Life {
  const isKnown = [...pastStages, lifecycle].some((known) => known.stage === stage.stage)
  return isKnown ? { lifecycle, pastStages } : { lifecycle: stage, pastStages: [...pastStages, lifecycle] }
}

/** All stages of a feature, oldest first. */
export function stagesOf({ lifecycle, pastStages }: Life): Frozen<Lifecycle>[] {
  return [...pastStages, lifecycle].toSorted(
    (one, other) => Date.parse(one.enteredStageAt) - Date.parse(other.enteredStageAt),
  )
}

/** The feature as if it had never been completed. */
export function leaveCompleted<Feature extends Life>(feature: Feature): Feature {
  const stages = [...feature.pastStages, feature.lifecycle].filter(({ stage }) => stage !== 'completed')
  const lifecycle = stages.pop()
  return lifecycle === undefined ? feature : { ...feature, lifecycle, pastStages: stages }
}

/** The average whole days that features spent in a stage before the next stage. Null if none left the stage. */
export function averageDaysIn(stage: Lifecycle['stage'], features: readonly Life[]): number | null {
  const days = features.flatMap(({ lifecycle, pastStages }) => {
    const stages = stagesOf({ lifecycle, pastStages })
    return stages.flatMap((past, i) => {
      const end = stages[i + 1]?.enteredStageAt
      if (past.stage !== stage || end === undefined) return []
      return [(Date.parse(end) - Date.parse(past.enteredStageAt)) / DAY]
    })
  })
  return days.length === 0 ? null : Math.round(days.reduce((sum, one) => sum + one, 0) / days.length)
}

/** The numbers of features at each stage. */
export function countStages(features: readonly Life[]): z.infer<typeof featureLifecycleCountSchema> {
  const stages = countBy(features, ({ lifecycle }) => [lifecycle.stage])
  const count = (stage: Lifecycle['stage']) => stages.get(stage) ?? 0
  return {
    initial: count('initial'),
    preLive: count('pre-live'),
    live: count('live'),
    completed: count('completed'),
    archived: count('archived'),
  }
}
