import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { ApiToken, ApiTokenRecord, newApiTokenSchema } from './schema.js'

/** A stored token: the service lists tokens of the type `backend` by their older name. */
export function presentApiToken(token: Frozen<ApiTokenRecord>): ApiToken {
  return presentAs(token.type === 'backend' ? 'client' : token.type, token)
}

function presentAs(type: ApiTokenRecord['type'], token: Frozen<ApiTokenRecord>): ApiToken {
  const { secret, tokenName, environment, projects, expiresAt, createdAt } = token
  return {
    secret,
    tokenName,
    type,
    environment,
    project: projects.join(','),
    projects: [...projects],
    expiresAt,
    createdAt,
    seenAt: null,
    alias: token.alias ?? null,
    secure: false,
  }
}

/** A token in the answer to its creation. */
export function presentNewApiToken(token: Frozen<ApiTokenRecord>): z.infer<typeof newApiTokenSchema> {
  const { seenAt: _, expiresAt, ...shown } = presentAs(token.type, token)
  return expiresAt === null ? shown : { ...shown, expiresAt }
}

/** A new token as recorded in events: without its secret. */
export function summarizeNewApiToken(token: Frozen<ApiTokenRecord>) {
  const { secret: _, ...summary } = presentNewApiToken(token)
  return summary
}

/** A stored token as recorded in events. */
export function summarizeApiToken(token: Frozen<ApiTokenRecord>) {
  return { ...summarizeNewApiToken(token), type: presentApiToken(token).type }
}
