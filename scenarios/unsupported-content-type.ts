import type { Scenario } from '../src/scenarios/scenario.js'

export const unsupportedContentType: Scenario = {
  name: 'unsupported-content-type',
  title: 'The content type is not supported',
  promise: 'Every operation that takes a body is refused with 415 ContentTypeerror, whatever its content type.',
  extends: 'default',
  force: [
    { operation: 'cloneFeature', status: 415 },
    { operation: 'createFeature', status: 415 },
    { operation: 'createPublicSignupToken', status: 415 },
    { operation: 'updatePublicSignupToken', status: 415 },
    { operation: 'addPublicSignupTokenUser', status: 415 },
  ],
}
