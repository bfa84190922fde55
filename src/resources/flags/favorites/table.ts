import { defineTable } from '../../shared/table.js'
import { favoriteKey } from './rules.js'
import { favoriteRecordSchema } from './schema.js'

export const favoriteTable = defineTable({
  record: favoriteRecordSchema,
  keyName: 'a favorite',
  key: favoriteKey,
  indexes: { marked: ({ kind, name }) => [`${kind} ${name}`] },
  fixture: favoriteRecordSchema.strict(),
  complete: (given) => given,
  *references({ kind, name }) {
    yield { at: 'name', to: `${kind}s`, key: name }
  },
})
