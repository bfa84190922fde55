/**
 * flagdouble: an in-memory double of the admin API of a feature-flag management service.
 * This entry runs wherever the web's own `Request` and `Response` do.
 *
 * @module
 */
import type * as z from 'zod'
import { type Scenario, scenarioSchema as scenarioShape } from './engine/scenarios/scenario.js'
import type { PartialState } from './engine/state/partial-state.js'
import { stateSchema as stateShape } from './engine/state/state.js'

export { scenarios } from '../scenarios/index.js'
export type { MockData } from './engine/data/relations.js'
export { MockError, type MockErrorCode, mockErrors } from './engine/errors/mock-errors.js'
export type { PublicApp } from './engine/http/app.js'
export type {
  ClientListener,
  EnabledFlag,
  FlagClient,
  FlagContext,
  FlagReader,
  FlagVariant,
} from './engine/mock/client.js'
export type { MockClock } from './engine/mock/clock.js'
export type { VariantForEverybody } from './engine/mock/misuse.js'
export { createMock, type Mock, type MockOptions } from './engine/mock/mock.js'
export { type ObservedClass, type ObservedClient, observeFlags } from './engine/mock/observe-flags.js'
export type { RecordReads, WorldReads } from './engine/mock/reads.js'
export type { MockRequests, WaitOptions } from './engine/mock/requests.js'
export type { MockHistory, MockSession, ScenarioGiven } from './engine/mock/session.js'
export type { ScenarioState } from './engine/scenarios/catalogue.js'
export type { ForceMatch } from './engine/scenarios/force-rule.js'
export { type ForcedError, type ForceRule, forceRuleSchema } from './engine/scenarios/force-rule.js'
export { flagStates } from './engine/scenarios/pairs.js'
export {
  type BuiltInScenario,
  defineScenario,
  type FeatureGeneration,
  type Latency,
  type LatencyRange,
  type Scenario,
  type ScenarioName,
} from './engine/scenarios/scenario.js'
export type { FlagCounts, FlagCoverage } from './engine/sessions/flag-coverage.js'
export type { JournalFilter } from './engine/sessions/journal.js'
export type { State } from './engine/state/state.js'
export { type OperationId, operationIds } from './service/api/operations.js'
export type { ProfileName } from './service/contract/profile.js'
export { cloneFeatureSchema } from './service/resources/flags/clone.js'
export { createFeatureSchema, type Feature, featureSchema } from './service/resources/flags/features.js'
export { projectFeaturesSchema } from './service/resources/flags/reading.js'
export { eventSchema, eventsSchema, type ServiceEvent } from './service/resources/instance/events.js'
export { roleSchema } from './service/resources/people/roles.js'
export { createInvitedUserSchema } from './service/resources/people/signup.js'
export {
  type PublicSignupToken,
  publicSignupTokenCreateSchema,
  publicSignupTokenSchema,
  publicSignupTokensSchema,
  publicSignupTokenUpdateSchema,
} from './service/resources/people/signup-tokens.js'
export { type User, userSchema } from './service/resources/people/users.js'
export { type Project, projectSchema, projectsSchema } from './service/resources/projects/projects.js'
export type { DataFault } from './service/resources/shared/table.js'
export type { Duration, DurationParts } from './support/calendar.js'
export type { SetClockOptions } from './support/clock.js'

/** What a scenario must look like. Its type is brief: all of the schema's would be half of the package's declarations. */
export const scenarioSchema: z.ZodType<Scenario> = scenarioShape

/** What sample state must look like: a fixture, or a snapshot. */
export const stateSchema: z.ZodType<PartialState> = stateShape

export type { ConnectionFault } from './engine/scenarios/faults.js'
export type { HistoryEntry } from './engine/sessions/history.js'
export type { JournalEntry, SentMessage } from './engine/sessions/journal.js'
export type * from './engine/state/partial-state.js'
export type { ServiceFile } from './engine/transfer/service-file.js'
