import type { ZodType } from 'zod'
import type { Shapes } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { presentFeature, presentListedFeature, summarizeFeature } from './present.js'
import { presentServiceFeature, presentServiceListedFeature, type Reader } from './present-service.js'
import { type FeatureRecord, featureSchema, projectFeaturesSchema } from './schema.js'
import { featureSummarySchema, serviceFeatureSchema, serviceProjectFeaturesSchema } from './service-schema.js'

type Stored = Frozen<FeatureRecord>
type ByShapes<Item> = Readonly<Record<Shapes, Item>>

/** A feature as it is answered to who creates, clones or changes it. */
export const presentChanged: ByShapes<(feature: Stored, tables: Tables, viewer?: number) => unknown> = {
  document: presentFeature,
  service: summarizeFeature,
}
export const featureAnswerSchemas: ByShapes<ZodType> = { document: featureSchema, service: featureSummarySchema }

/** A feature as it is read. */
export const presentRead: ByShapes<(feature: Stored, tables: Tables, reader: Reader) => unknown> = {
  document: (feature, tables, { viewer }) => presentFeature(feature, tables, viewer),
  service: presentServiceFeature,
}
export const readSchemas: ByShapes<ZodType> = { document: featureSchema, service: serviceFeatureSchema }

/** A feature as it is listed. */
export const presentListed: ByShapes<(feature: Stored, tables: Tables, viewer?: number) => unknown> = {
  document: presentListedFeature,
  service: presentServiceListedFeature,
}
export const listedSchemas: ByShapes<ZodType> = {
  document: projectFeaturesSchema,
  service: serviceProjectFeaturesSchema,
}
