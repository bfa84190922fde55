import type { Failure } from '../../../contract/errors.js'
import { fail } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'

const failure: Failure = { kind: 'notImplemented', message: 'This path is not offered by the frontend API.' }

const row = {
  method: 'GET',
  tag: 'Frontend API',
  access: 'frontend',
  success: { status: 200, description: 'Never' },
  errors: [405],
  run: () => fail(failure),
} as const

/** What a frontend may look for because a proxy offers it, and the service answers but does not offer. */
export const notOfferedOperations = [
  defineOperation({
    ...row,
    id: 'getFrontendClientFeatures',
    path: '/api/frontend/client/features',
    summary: 'Not offered: the features for SDKs that evaluate them',
  }),
  defineOperation({
    ...row,
    id: 'getFrontendHealth',
    path: '/api/frontend/health',
    summary: 'Not offered: the health of a proxy',
  }),
  defineOperation({
    ...row,
    id: 'getFrontendPrometheus',
    path: '/api/frontend/internal-backstage/prometheus',
    summary: 'Not offered: the metrics of a proxy',
  }),
] as const
