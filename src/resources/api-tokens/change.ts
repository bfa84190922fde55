import type { Frozen } from '../../support/freeze.js'
import { toInstant } from '../common.js'
import { logEvent } from '../events/rules.js'
import type { World } from '../world.js'
import { summarizeApiToken } from './present.js'
import { secretFor } from './rules.js'
import type { ApiTokenRecord } from './schema.js'

/** What is asked for of a new key. */
interface NewToken extends Pick<ApiTokenRecord, 'type' | 'tokenName' | 'environment' | 'projects'> {
  expiresAt?: string | undefined
}

export function createToken(
  world: World,
  { type, tokenName, environment, projects, expiresAt }: NewToken,
): ApiTokenRecord {
  const token: ApiTokenRecord = {
    secret: secretFor({ environment, projects }, world.ids.hex(28)),
    type,
    tokenName,
    environment,
    projects: [...projects],
    userId: null,
    expiresAt: expiresAt === undefined ? null : toInstant(expiresAt),
    createdAt: world.now.toISOString(),
  }
  world.tables.apiTokens.insert(token)
  logEvent(world, { type: 'api-token-created', environment, data: summarizeApiToken(token) })
  return token
}

export function removeToken(world: World, token: Frozen<ApiTokenRecord>): void {
  world.tables.apiTokens.remove(token.secret)
  logEvent(world, {
    type: 'api-token-deleted',
    environment: token.environment,
    data: null,
    preData: summarizeApiToken(token),
  })
}
