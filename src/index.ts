/**
 * flagdouble: an in-memory double of the admin API of a feature-flag management service.
 * This entry runs wherever the web's own `Request` and `Response` do.
 *
 * @module
 */
import type * as z from 'zod'
import { type Scenario, scenarioSchema as scenarioShape } from './scenarios/scenario.js'
import type { PartialState } from './state/partial-state.js'
import { stateSchema as stateShape } from './state/state.js'

export { scenarios } from '../scenarios/index.js'
export { type OperationId, operationIds } from './api/operations.js'
export { type DataFault, MockError, type MockErrorCode, mockErrors } from './contract/mock-errors.js'
export type { ProfileName } from './contract/profile.js'
export type { ScenarioState } from './control/control.js'
export type { MockData } from './data/relations.js'
export type { PublicApp } from './http/app.js'
export type { MockClock } from './mock/clock.js'
export { createMock, type Mock, type MockOptions } from './mock/mock.js'
export type { RecordReads, WorldReads } from './mock/reads.js'
export type { MockRequests, WaitOptions } from './mock/requests.js'
export type { MockHistory, MockSession, ScenarioGiven } from './mock/session.js'
export { cloneFeatureSchema } from './resources/flags/clone.js'
export { createFeatureSchema, type Feature, featureSchema } from './resources/flags/features.js'
export { projectFeaturesSchema } from './resources/flags/reading.js'
export { eventSchema, eventsSchema, type ServiceEvent } from './resources/instance/events.js'
export { roleSchema } from './resources/people/roles.js'
export { createInvitedUserSchema } from './resources/people/signup.js'
export {
  type PublicSignupToken,
  publicSignupTokenCreateSchema,
  publicSignupTokenSchema,
  publicSignupTokensSchema,
  publicSignupTokenUpdateSchema,
} from './resources/people/signup-tokens.js'
export { type User, userSchema } from './resources/people/users.js'
export { type Project, projectSchema, projectsSchema } from './resources/projects/projects.js'
export type { ForceMatch } from './scenarios/force-rule.js'
export { type ForcedError, type ForceRule, forceRuleSchema } from './scenarios/force-rule.js'
export {
  type BuiltInScenario,
  defineScenario,
  type FeatureGeneration,
  type Latency,
  type LatencyRange,
  type Scenario,
  type ScenarioName,
} from './scenarios/scenario.js'
export type { JournalFilter } from './sessions/journal.js'
export type { State } from './state/state.js'
export type { Duration, DurationParts } from './support/calendar.js'
export type { SetClockOptions } from './support/clock.js'

/** What a scenario must look like. Its type is brief: all of the schema's would be half of the package's declarations. */
export const scenarioSchema: z.ZodType<Scenario> = scenarioShape

/** What sample state must look like: a fixture, or a snapshot. */
export const stateSchema: z.ZodType<PartialState> = stateShape

export type { ConnectionFault } from './scenarios/faults.js'
export type { HistoryEntry } from './sessions/history.js'
export type { JournalEntry, SentMessage } from './sessions/journal-entry.js'
export type { PartialState } from './state/partial-state.js'
export type * from './state/types/features.js'
export type * from './state/types/instance.js'
export type * from './state/types/people.js'
export type * from './state/types/projects.js'
export type * from './state/types/sdk.js'
export type * from './state/types/targeting.js'
export type { ServiceFile } from './transfer/service-file.js'
