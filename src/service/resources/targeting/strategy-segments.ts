import { found, noAccess, reject } from '../../contract/errors.js'
import { setSegments } from '../flags/strategies.operations.js'
import { checkDepth } from '../shared/checks.js'
import { created, get, ok, operations, post } from '../shared/rows.js'
import { presentInProject } from './context-fields.js'
import { segmentStrategiesSchema, segmentsSchema, updateFeatureStrategySegmentsSchema } from './segments.js'
import { findSegment } from './segments.operations.js'
import { strategiesUsing } from './usage.model.js'

export const strategySegmentOperations = operations('Segments', {
  getStrategiesBySegmentId: get('/api/admin/segments/:id/strategies', {
    summary: 'List the strategies that use a segment',
    integers: ['id'],
    success: ok('The strategies', segmentStrategiesSchema),
    run: ({ params, tables }) => {
      const strategies = strategiesUsing(tables, 'segment', findSegment(tables, params.id).id)
      return { body: { strategies, changeRequestStrategies: [] } }
    },
  }),

  getSegmentsByStrategyId: get('/api/admin/segments/strategies/:strategyId', {
    summary: 'List the segments that a strategy uses',
    success: ok('The segments', segmentsSchema),
    errors: [],
    run: ({ params: { strategyId }, tables }) => {
      const strategies = tables.features
        .by('strategy', strategyId)
        .flatMap(({ environments }) => environments.flatMap((environment) => environment.strategies))
      const ids = strategies.find(({ id }) => id === strategyId)?.segments ?? []
      const segments = ids.flatMap((id) => tables.segments.get(id) ?? [])
      return { body: { segments: segments.map(presentInProject) } }
    },
  }),

  updateFeatureStrategySegments: post('/api/admin/segments/strategies', {
    summary: 'Set the segments that a strategy uses, with the permission in the named project and environment',
    body: updateFeatureStrategySegmentsSchema,
    success: created('The segments, as sent', updateFeatureStrategySegmentsSchema, 'The path of the strategy'),
    errors: [403, 404],
    run: ({ body, context }) => {
      reject(checkDepth('body', body, '/body'))
      const { environmentId: environment, strategyId, segmentIds: segments } = body
      const permission = 'UPDATE_FEATURE_STRATEGY'
      const { caller } = context
      if (!caller.may('ADMIN') && !caller.may(permission, { project: body.projectId, environment })) {
        reject(noAccess(permission, environment))
      }
      const [feature] = context.tables.features.by('strategy', strategyId)
      const { name: featureName, project: projectId } = found(feature, () => `There is no strategy "${strategyId}".`)
      setSegments(context, { projectId, featureName, environment, strategyId }, segments)
      return { headers: { location: `strategies/${strategyId}` }, body }
    },
  }),
})
