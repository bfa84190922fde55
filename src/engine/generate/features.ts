import type { Faker } from '@faker-js/faker'
import { builtInFeatureTypes } from '../../service/resources/flags/feature-types.js'
import type { FeatureGeneration } from '../scenarios/scenario.js'
import type { PartialState } from '../state/partial-state.js'
import { ownFaker } from './own-faker.js'

type GeneratedFeature = Extract<PartialState['features'], readonly unknown[]>[number]

const DEFAULT_SEED = 1

/** The number of features per batch. Batches save memory: only one batch at a time exists both as fixture and as records. */
const BATCH = 1000

const ENVIRONMENTS = ['development', 'production']

/**
 * Generates features in batches, the same for each seed and date. Loaded only by dynamic import, because faker is larger
 * than everything else.
 */
export function* generateStates(
  { features, project = 'default', seed = DEFAULT_SEED }: FeatureGeneration,
  now: Date,
): Generator<PartialState> {
  const faker = ownFaker(seed)
  faker.setDefaultRefDate(now)
  for (let made = 0; made < features; made += BATCH) {
    const length = Math.min(BATCH, features - made)
    yield { features: Array.from({ length }, (_, i) => generateFeature(faker, made + i + 1, project)) }
  }
}

function generateFeature(faker: Faker, number: number, project: string): GeneratedFeature {
  const name = `${faker.word.adjective()}-${faker.word.noun()}-${number}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '')
  return {
    name,
    project,
    type: faker.helpers.arrayElement(builtInFeatureTypes),
    description: faker.company.catchPhrase(),
    stale: faker.datatype.boolean({ probability: 0.15 }),
    impressionData: faker.datatype.boolean({ probability: 0.2 }),
    createdAt: faker.date.recent({ days: 300 }).toISOString(),
    environments: ENVIRONMENTS.map((environment) => ({
      name: environment,
      enabled: faker.datatype.boolean(),
      strategies: Array.from({ length: faker.number.int({ min: 0, max: 2 }) }, () => ({
        name: 'flexibleRollout',
        parameters: {
          rollout: String(faker.number.int({ min: 0, max: 20 }) * 5),
          stickiness: faker.helpers.arrayElement(['default', 'userId', 'sessionId']),
          groupId: name,
        },
      })),
    })),
  }
}
