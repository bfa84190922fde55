import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { changeStrategy } from '../../flags/strategies/actions.js'
import { defineOperation } from '../../shared/operation.js'
import { findSegment } from '../segments/lookup.js'
import { presentSegment } from '../segments/present.js'
import { segmentStrategiesSchema, segmentsSchema, updateFeatureStrategySegmentsSchema } from '../segments/schema.js'
import { strategiesUsing } from '../usage/lookup.js'

const tag = 'Segments'

const getStrategiesBySegmentId = defineOperation({
  id: 'getStrategiesBySegmentId',
  method: 'GET',
  path: '/api/admin/segments/:id/strategies',
  summary: 'List the strategies that use a segment',
  tag,
  integers: ['id'],
  success: { status: 200, description: 'The strategies', schema: segmentStrategiesSchema },
  errors: [404],
  run: ({ params, context: { tables } }) => {
    const found = findSegment(tables, params.id)
    if (!found.ok) return found
    const strategies = strategiesUsing(tables, 'segment', found.value.id)
    return ok({ body: { strategies, changeRequestStrategies: [] } })
  },
})

const getSegmentsByStrategyId = defineOperation({
  id: 'getSegmentsByStrategyId',
  method: 'GET',
  path: '/api/admin/segments/strategies/:strategyId',
  summary: 'List the segments that a strategy uses',
  tag,
  success: { status: 200, description: 'The segments', schema: segmentsSchema },
  run: ({ params: { strategyId }, context: { tables } }) => {
    const strategies = tables.features
      .by('strategy', strategyId)
      .flatMap(({ environments }) => environments.flatMap((environment) => environment.strategies))
    const ids = strategies.find(({ id }) => id === strategyId)?.segments ?? []
    const segments = ids.flatMap((id) => tables.segments.get(id) ?? [])
    return ok({ body: { segments: segments.map(presentSegment) } })
  },
})

const updateFeatureStrategySegments = defineOperation({
  id: 'updateFeatureStrategySegments',
  method: 'POST',
  path: '/api/admin/segments/strategies',
  summary: 'Set the segments that a strategy uses',
  tag,
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: updateFeatureStrategySegmentsSchema,
  success: {
    status: 201,
    description: 'The segments, as sent',
    schema: updateFeatureStrategySegmentsSchema,
    headers: { location: 'Where the strategy is' },
  },
  errors: [404],
  run: ({ body, context }) => {
    const { projectId, environmentId: environment, strategyId, segmentIds: segments } = body
    const [feature] = context.tables.features.by('strategy', strategyId)
    if (feature === undefined) return fail(notFound(`There is no strategy "${strategyId}".`))
    const place = { projectId, featureName: feature.name, environment, strategyId }
    const changed = changeStrategy(context, place, () => ok({ segments }))
    return changed.ok ? ok({ headers: { location: `strategies/${strategyId}` }, body }) : changed
  },
})

export const strategySegmentOperations = [
  getStrategiesBySegmentId,
  getSegmentsByStrategyId,
  updateFeatureStrategySegments,
] as const
