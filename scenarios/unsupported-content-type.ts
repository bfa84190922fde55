import { operations } from '../src/api/operations.js'
import type { Scenario } from '../src/scenarios/scenario.js'

const withBody = operations.filter(({ path, body }) => body !== undefined && path.startsWith('/api/admin/'))

export const unsupportedContentType: Scenario = {
  name: 'unsupported-content-type',
  title: 'The content type is not supported',
  promise: 'Every admin operation that takes a body is rejected with 415 ContentTypeerror, whatever its content type.',
  extends: 'default',
  force: withBody.map(({ id }) => ({ operation: id, status: 415 })),
}
