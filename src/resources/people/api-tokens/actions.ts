import type { Frozen } from '../../../support/freeze.js'
import { logEvent } from '../../instance/events/actions.js'
import type { OperationContext } from '../../shared/context.js'
import { toInstant } from '../../shared/schema.js'
import { summarizeApiToken, summarizeNewApiToken } from './present.js'
import { secretFor } from './rules.js'
import type { ApiTokenRecord } from './schema.js'

/** The requested properties of a new token. */
interface NewToken extends Pick<ApiTokenRecord, 'type' | 'tokenName' | 'environment' | 'projects'> {
  expiresAt?: string | undefined
}

export function createToken(
  context: OperationContext,
  { type, tokenName, environment, projects, expiresAt }: NewToken,
): ApiTokenRecord {
  const token: ApiTokenRecord = {
    secret: secretFor({ environment, projects }, context.ids.hex(28)),
    type,
    tokenName,
    environment,
    projects: [...projects],
    userId: null,
    expiresAt: expiresAt === undefined ? null : toInstant(expiresAt),
    createdAt: toInstant(context.now),
  }
  context.tables.apiTokens.insert(token)
  logEvent(context, { type: 'api-token-created', environment, data: summarizeNewApiToken(token) })
  return token
}

export function removeToken(context: OperationContext, token: Frozen<ApiTokenRecord>): void {
  context.tables.apiTokens.remove(token.secret)
  logEvent(context, {
    type: 'api-token-deleted',
    environment: token.environment,
    data: null,
    preData: summarizeApiToken(token),
  })
}
