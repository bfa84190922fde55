import type { Frozen } from '../../support/freeze.js'
import type { ApiToken, ApiTokenRecord } from './schema.js'

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
    alias: null,
  }
}

/** A key as events tell of it: without its secret. */
export function summarizeApiToken(token: Frozen<ApiTokenRecord>) {
  const { secret: _, ...summary } = presentApiToken(token)
  return summary
}
