import { expect, it } from 'vitest'
import type * as z from 'zod'
import { createMock } from '../../src/index.js'
import { featureEnvironmentSchema } from '../../src/service/resources/flags/feature-environments.js'
import { featureRecordSchema } from '../../src/service/resources/flags/features.js'
import { strategySchema } from '../../src/service/resources/flags/strategies.js'
import { defaultOf, givenShape } from '../../src/service/resources/shared/fields.js'
import { FIXED, NOW } from '../support/adapters.js'

/** The declared defaults of a record's fields, by name. */
function defaultsOf(record: z.ZodObject): Record<string, unknown> {
  const all = Object.entries(givenShape(record)).map(([name, schema]) => [name, defaultOf(schema)])
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

it('features, their environments and strategies are completed as their fields say', () => {
  const mock = createMock({ ...FIXED, scenario: 'empty' })
  mock.add({ features: [{ name: 'minimal', environments: { development: { strategies: [{ name: 'default' }] } } }] })
  const [feature] = mock.state().features
  const [development, production] = feature?.environments ?? []
  const ofFeature = defaultsOf(featureRecordSchema)
  const ofEnvironment = defaultsOf(featureEnvironmentSchema)
  const ofStrategy = defaultsOf(strategySchema)
  expect(ofFeature).toMatchObject({ type: 'release', createdAt: 'now', lastSeenAt: null, tags: [] })
  expect(ofEnvironment).toEqual({ lastSeenAt: null, strategies: [], variants: [] })
  expect(ofStrategy).toMatchObject({ title: null, disabled: false, segments: [] })
  expect(feature).toMatchObject({ ...ofFeature, createdAt: NOW })
  expect(development).toMatchObject({ ...ofEnvironment, strategies: [ofStrategy] })
  expect(production).toMatchObject(ofEnvironment)
})
