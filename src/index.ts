/**
 * flagdouble: an in-memory double of the admin API of a feature-flag management service.
 * This entry runs wherever the web's own `Request` and `Response` do.
 *
 * @module
 */
export { scenarios } from '../scenarios/index.js'
export type { Failure } from './contract/errors.js'
export { MockError, type MockErrorCode, mockErrors } from './contract/mock-errors.js'
export { type OperationId, operationIds } from './contract/operations.js'
export type { ProfileName } from './contract/profile.js'
export type { MockClock, MockRequests, MockSession } from './control/mock-session.js'
export type { Reads } from './control/reads.js'
export { createMock, type Mock, type MockOptions } from './mock.js'
export { type EventRecord, eventSchema, eventsSchema } from './resources/events/schema.js'
export {
  cloneFeatureSchema,
  createFeatureSchema,
  type Feature,
  featureSchema,
  projectFeaturesSchema,
} from './resources/features/schema.js'
export { type Project, projectSchema, projectsSchema } from './resources/projects/schema.js'
export { roleSchema } from './resources/roles/schema.js'
export {
  type PublicSignupToken,
  publicSignupTokenCreateSchema,
  publicSignupTokenSchema,
  publicSignupTokensSchema,
  publicSignupTokenUpdateSchema,
} from './resources/signup-tokens/schema.js'
export { createInvitedUserSchema } from './resources/users/invited.js'
export { type User, userSchema } from './resources/users/schema.js'
export type { Fault } from './scenarios/faults.js'
export { type ForceRule, forceRuleSchema } from './scenarios/force-rule.js'
export { defineScenario, type Generate, type Latency, type Scenario, scenarioSchema } from './scenarios/scenario.js'
export type { JournalEntry, JournalFilter } from './sessions/journal.js'
export { type PartialState, type State, stateSchema } from './store/state.js'
export type { Duration } from './support/duration.js'
