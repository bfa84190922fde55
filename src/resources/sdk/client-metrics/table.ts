import * as z from 'zod'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext } from '../../shared/table.js'
import { hourOf } from './rules.js'
import { type ClientMetricsRecord, clientMetricsKey, clientMetricsRecordSchema } from './schema.js'

/** The metrics of an hour as a fixture may give them: of a feature in an environment. */
const clientMetricsFixtureSchema = z.strictObject({
  ...clientMetricsRecordSchema.partial().shape,
  /** The name of the feature. */
  featureName: z.string().min(1),
  /** The name of the environment. */
  environment: z.string().min(1),
  /** The hour. Default: the start of the world. */
  timestamp: fixtureInstantSchema.optional(),
})

/** The record that a fixture means: of this hour, by an application without a name, where it does not say. */
function completeClientMetrics(
  given: z.infer<typeof clientMetricsFixtureSchema>,
  { now }: FixtureContext,
): ClientMetricsRecord {
  return {
    featureName: given.featureName,
    appName: given.appName ?? 'unnamed-app',
    environment: given.environment,
    timestamp: hourOf(fixtureInstant(given.timestamp ?? 'now', now)),
    yes: given.yes ?? 0,
    no: given.no ?? 0,
    variants: given.variants ?? {},
  }
}

export const clientMetricsTable = defineTable({
  record: clientMetricsRecordSchema,
  keyName: 'client metrics',
  key: clientMetricsKey,
  indexes: { feature: ({ featureName }) => [featureName] },
  givenKey: (given, context) => clientMetricsKey(completeClientMetrics(given, context)),
  fixture: clientMetricsFixtureSchema,
  complete: completeClientMetrics,
})
