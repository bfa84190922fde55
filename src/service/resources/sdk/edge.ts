import * as z from 'zod'
import { reject } from '../../contract/errors.js'
import { secret } from '../../contract/secrets.js'
import { apiTokenRecordSchema, presentApiToken } from '../people/api-tokens.js'
import { findToken } from '../people/callers.js'
import { ok, operations, post } from '../shared/rows.js'
import { named } from '../shared/schema.js'

const edgeTokenSchema = named(
  'edgeTokenSchema',
  () =>
    apiTokenRecordSchema
      .pick({ projects: true, environment: true })
      .extend({ token: secret(z.string()), type: z.enum(['client', 'admin', 'frontend', 'backend']) }).shape,
)

const validatedEdgeTokensSchema = named('validatedEdgeTokensSchema', () => ({ tokens: z.array(edgeTokenSchema) }))

export const edgeOperations = operations('Unleash Edge', {
  getValidTokens: post('/edge/validate', {
    access: 'public',
    summary: 'Find the valid API tokens in a list',
    body: z.looseObject({ tokens: z.array(secret(z.string())) }).meta({ id: 'tokenStringListSchema' }),
    success: ok('The valid tokens', validatedEdgeTokensSchema),
    run: ({ body, context: { tables, now } }) => {
      const tokens = [...new Set(body.tokens)].flatMap((sent) => {
        const token = findToken({ tables, now }, sent)
        if (token === undefined || token.type === 'user') return []
        const { type, projects, environment } = presentApiToken(token)
        return { token: sent, type, projects, environment }
      })
      return { body: { tokens } }
    },
  }),

  /** Without a master key, Unleash knows no client whose signature it could check. */
  edgeCreateOrReturnTokens: post('/edge/issue-token', {
    access: 'public',
    summary: 'Get tokens for Edge; always rejected, because the instance has no master key to check signatures with',
    body: z
      .looseObject({ tokens: z.array(z.strictObject({ environment: z.string(), projects: z.array(z.string()) })) })
      .meta({ id: 'edgeEnvironmentProjectsListSchema' }),
    success: ok('The tokens', validatedEdgeTokensSchema),
    errors: [401, 403],
    run: () => reject({ kind: 'unsigned', message: 'The request has no signature of a known client.' }),
  }),
})
