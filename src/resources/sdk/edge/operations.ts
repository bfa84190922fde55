import { fail, ok } from '../../../support/result.js'
import { findToken } from '../../people/callers/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { edgeEnvironmentProjectsListSchema, tokenStringListSchema, validatedEdgeTokensSchema } from './schema.js'

const row = { tag: 'Unleash Edge', access: 'public', method: 'POST' } as const

const getValidTokens = defineOperation({
  ...row,
  id: 'getValidTokens',
  path: '/edge/validate',
  summary: 'The valid ones among some API tokens',
  body: tokenStringListSchema,
  success: { status: 200, description: 'The valid tokens', schema: validatedEdgeTokensSchema },
  run: ({ body, context: { tables, now } }) => {
    const tokens = body.tokens.flatMap((sent) => {
      const token = findToken(tables, sent, now)
      if (token === undefined || token.type === 'user') return []
      const { type, projects, environment } = token
      return { token: sent, type, projects, environment }
    })
    return ok({ body: { tokens } })
  },
})

/** The service knows no client whose signature it could check, unless it is given a master key. */
const edgeCreateOrReturnTokens = defineOperation({
  ...row,
  id: 'edgeCreateOrReturnTokens',
  path: '/edge/issue-token',
  summary: 'Tokens for Edge; always rejected, because the instance has no master key to check signatures with',
  body: edgeEnvironmentProjectsListSchema,
  success: { status: 200, description: 'The tokens', schema: validatedEdgeTokensSchema },
  errors: [401, 403],
  run: () => fail({ kind: 'unsigned', message: 'The request has no signature of a known client.' }),
})

export const edgeOperations = [getValidTokens, edgeCreateOrReturnTokens] as const
