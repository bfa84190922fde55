import { defineOperation } from '../../shared/operation.js'
import { changeLegalValues } from '../context-fields/actions.js'
import { type FieldPlace, ofProject, ofService, withLegalValue, withoutLegalValue } from '../context-fields/rules.js'
import { legalValueSchema } from '../context-fields/schema.js'

const tag = 'Context'

const updateContextFieldLegalValue = <Suffix extends string>({ suffix, path, of, permissions }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `updateContextFieldLegalValue${suffix}` as const,
    method: 'POST',
    path: `${path}/:contextField/legal-values` as const,
    summary: `Add a legal value to a context field${of}, or change its description`,
    tag,
    permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
    body: legalValueSchema,
    success: { status: 200, description: 'The value is legal' },
    errors: [404],
    run: ({ params: { projectId, contextField }, body, context }) =>
      changeLegalValues(context, contextField, withLegalValue(body), projectId),
  })

const deleteContextFieldLegalValue = <Suffix extends string>({ suffix, path, of, permissions }: FieldPlace<Suffix>) =>
  defineOperation({
    id: `deleteContextFieldLegalValue${suffix}` as const,
    method: 'DELETE',
    path: `${path}/:contextField/legal-values/:legalValue` as const,
    summary: `Remove a legal value from a context field${of}`,
    tag,
    permission: ['UPDATE_CONTEXT_FIELD', ...permissions],
    success: { status: 200, description: 'The value is not legal' },
    errors: [404],
    run: ({ params: { projectId, contextField, legalValue }, context }) =>
      changeLegalValues(context, contextField, withoutLegalValue(legalValue), projectId),
  })

export const legalValueOperations = [
  updateContextFieldLegalValue(ofService),
  deleteContextFieldLegalValue(ofService),
  updateContextFieldLegalValue(ofProject),
  deleteContextFieldLegalValue(ofProject),
] as const
