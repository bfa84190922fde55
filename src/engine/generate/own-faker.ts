import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'

/**
 * A separate instance of faker, so that other users of faker and flagdouble don't affect each other. The same seed gives
 * the same values in the same order.
 */
export function ownFaker(seed: number): Faker {
  const OwnFaker = english.constructor as new (options: { locale: unknown; seed: number }) => Faker
  return new OwnFaker({ locale: english.rawDefinitions, seed })
}
