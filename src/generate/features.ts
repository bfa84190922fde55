import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'
import { featureTypes } from '../resources/features/schema.js'
import type { Generate } from '../scenarios/scenario.js'
import type { PartialState } from '../store/state.js'

type FeatureFixture = NonNullable<PartialState['features']>[number]

const DEFAULT_SEED = 1
const ENVIRONMENTS = ['development', 'production']

/**
 * Features as many as asked for, always the same ones for a seed and a date. Loaded by dynamic import only: faker is
 * larger than all the rest.
 */
export function generateState(
  { features, project = 'default', seed = DEFAULT_SEED }: Generate,
  now: Date,
): PartialState {
  const faker = ownFaker(seed, now)
  return { features: Array.from({ length: features }, (_, i) => generateFeature(faker, i + 1, project)) }
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
