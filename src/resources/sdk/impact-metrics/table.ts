import { defineTable } from '../../shared/table.js'
import { impactMetricSchema } from './schema.js'

export const impactMetricTable = defineTable({
  record: impactMetricSchema,
  keyName: 'the name of an impact metric',
  key: ({ name }) => name,
  indexes: {},
  fixture: impactMetricSchema,
  complete: (given) => given,
})
