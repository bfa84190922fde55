import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok, type Result } from '../../../support/result.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { permissionFor } from './rules.js'
import type { ApiTokenRecord } from './schema.js'

type Stored = Frozen<ApiTokenRecord>

/** The API tokens that the caller may see. Personal tokens are in the same table, but are not shown. */
export function visibleApiTokens({ tables, caller }: OperationContext): Stored[] {
  return sharedTokens(tables).filter((token) => caller.may(permissionFor('READ', token)))
}

/** The API tokens that name a project. */
export function projectApiTokens(tables: Tables, project: string): Stored[] {
  return sharedTokens(tables).filter(({ projects }) => projects.includes(project))
}

export function findApiToken(tables: Tables, secret: string): Result<Stored, Failure> {
  const token = tables.apiTokens.get(secret)
  return token === undefined || token.userId !== null ? fail(notFound('There is no such API token.')) : ok(token)
}

function sharedTokens(tables: Tables): Stored[] {
  return tables.apiTokens.list().filter(({ userId }) => userId === null)
}
