import { del, operations, post, withSuffix } from '../shared/rows.js'
import {
  type FieldPlace,
  legalValueSchema,
  ofProject,
  ofService,
  withLegalValue,
  withoutLegalValue,
} from './context-fields.js'
import { changeLegalValues } from './context-fields.operations.js'

/** The rows at each of the two places where context fields are changed. */
function rowsAt({ path, of, permissions }: FieldPlace) {
  return {
    updateContextFieldLegalValue: post(`${path}/:contextField/legal-values`, {
      summary: `Add a legal value to a context field${of}, or change its description`,
      permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
      body: legalValueSchema,
      success: { status: 200, description: 'The value is legal' },
      errors: [404],
      run: ({ params: { projectId, contextField }, body, context }) => {
        changeLegalValues(context, contextField, withLegalValue(body), projectId)
      },
    }),

    deleteContextFieldLegalValue: del(`${path}/:contextField/legal-values/:legalValue`, {
      summary: `Remove a legal value from a context field${of}`,
      permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
      success: { status: 200, description: 'The value is not legal' },
      errors: [404],
      run: ({ params: { projectId, contextField, legalValue }, context }) => {
        changeLegalValues(context, contextField, withoutLegalValue(legalValue), projectId)
      },
    }),
  }
}

export const legalValueOperations = operations('Context', {
  ...rowsAt(ofService),
  ...withSuffix('ForProject', rowsAt(ofProject)),
})
