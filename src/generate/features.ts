import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'
import { featureTypes } from '../resources/flags/features/schema.js'
import type { Generate } from '../scenarios/scenario.js'
import type { PartialState } from '../state/state.js'

type FeatureFixture = NonNullable<PartialState['features']>[number]

const DEFAULT_SEED = 1

/** Features that are made at a time, so that not all of them are there twice: as they are given, and as they are kept. */
const BATCH = 1000

const ENVIRONMENTS = ['development', 'production']

/**
 * Features as many as asked for, batch by batch, always the same ones for a seed and a date. Loaded by dynamic import
 * only: faker is larger than all the rest.
 */
export function* generateStates(
  { features, project = 'default', seed = DEFAULT_SEED }: Generate,
  now: Date,
): Generator<PartialState> {
  const faker = ownFaker(seed, now)
  for (let made = 0; made < features; made += BATCH) {
    const length = Math.min(BATCH, features - made)
    yield { features: Array.from({ length }, (_, i) => generateFeature(faker, made + i + 1, project)) }
  }
}

/** An instance of our own, so that nobody else's use of faker changes ours, or ours theirs. */
function ownFaker(seed: number, now: Date): Faker {
  const OwnFaker = english.constructor as new (options: { locale: unknown; seed: number }) => Faker
  const faker = new OwnFaker({ locale: english.rawDefinitions, seed })
  faker.setDefaultRefDate(now)
  return faker
}

function generateFeature(faker: Faker, number: number, project: string): FeatureFixture {
  const name = `${faker.word.adjective()}-${faker.word.noun()}-${number}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '')
  return {
    name,
    project,
    type: faker.helpers.arrayElement(featureTypes),
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
