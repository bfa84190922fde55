import { notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { revisionOf, sdkScope } from './lookup.js'
import { listClientFeatures, listClientSegments } from './present.js'
import { clientQuery, environmentOf, fingerprint, SPECIFICATION_HEADER } from './rules.js'
import { clientFeatureSchema, clientFeaturesSchema, sentClientQuerySchema } from './schema.js'

const tag = 'Client'

const getAllClientFeatures = defineOperation({
  id: 'getAllClientFeatures',
  method: 'GET',
  path: '/api/client/features',
  summary: "The features in a token's environment and projects, for SDKs that evaluate them locally",
  tag,
  access: 'client',
  query: sentClientQuerySchema,
  success: {
    status: 200,
    description: 'The features',
    schema: clientFeaturesSchema,
    headers: { ETag: 'Changes with the body; a request with it in If-None-Match is answered 304' },
  },
  run: ({ query: sent, headers, context: { tables, caller } }) => {
    const query = clientQuery(sdkScope(caller), sent, headers.get(SPECIFICATION_HEADER))
    const features = listClientFeatures(tables, query)
    const segments = query.inlineSegmentConstraints ? {} : { segments: listClientSegments(tables) }
    const revisionId = revisionOf(tables, environmentOf(sdkScope(caller)))
    // Given state and another scenario leave no events, so the features count besides the revision.
    const queryHash = fingerprint({ query, features, ...segments })
    const etag = `"${queryHash}:${revisionId}:v1"`
    const meta = { revisionId, etag, queryHash }
    return ok({ headers: { etag }, body: { version: 2, features, query, ...segments, meta } })
  },
})

const getClientFeature = defineOperation({
  id: 'getClientFeature',
  method: 'GET',
  path: '/api/client/features/:featureName',
  summary: "One feature of a token's environment and projects",
  tag,
  access: 'client',
  success: { status: 200, description: 'The feature', schema: clientFeatureSchema },
  errors: [404],
  run: ({ params: { featureName }, headers, context: { tables, caller } }) => {
    const query = clientQuery(sdkScope(caller), { namePrefix: featureName }, headers.get(SPECIFICATION_HEADER))
    const feature = listClientFeatures(tables, query).find(({ name }) => name === featureName)
    return feature === undefined
      ? fail(notFound(`There is no feature named "${featureName}" for this token.`))
      : ok({ body: feature })
  },
})

export const clientFeatureOperations = [getAllClientFeatures, getClientFeature] as const
