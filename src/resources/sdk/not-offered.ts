import { reject } from '../../contract/errors.js'
import { get, operations } from '../shared/rows.js'

const row = {
  access: 'frontend',
  success: { status: 200, description: 'Never' },
  errors: [405],
  run: () => reject({ kind: 'notImplemented', message: 'This path is not offered by the frontend API.' }),
} as const

/** What a frontend may look for because a proxy offers it, and the service answers but does not offer. */
export const notOfferedOperations = operations('Frontend API', {
  getFrontendClientFeatures: get('/api/frontend/client/features', {
    ...row,
    summary: 'Not offered: the features for SDKs that evaluate them',
  }),
  getFrontendHealth: get('/api/frontend/health', { ...row, summary: 'Not offered: the health of a proxy' }),
  getFrontendPrometheus: get('/api/frontend/internal-backstage/prometheus', {
    ...row,
    summary: 'Not offered: the metrics of a proxy',
  }),
})
