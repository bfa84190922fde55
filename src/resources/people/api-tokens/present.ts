import type * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { ApiToken, ApiTokenRecord, newApiTokenSchema } from './schema.js'

export function presentApiToken(token: Frozen<ApiTokenRecord>): ApiToken {
  const { secret, tokenName, type, environment, projects, expiresAt, createdAt } = token
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
  const { seenAt: _, expiresAt, ...shown } = presentApiToken(token)
  return expiresAt === null ? shown : { ...shown, expiresAt }
}

/** A token as recorded in events: without its secret. */
export function summarizeApiToken(token: Frozen<ApiTokenRecord>) {
  const { secret: _, ...summary } = presentNewApiToken(token)
  return summary
}
