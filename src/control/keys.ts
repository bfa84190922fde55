import { findToken, isForSdks } from '../http/caller.js'
import type { ApiTokenRecord } from '../resources/api-tokens/schema.js'
import type { Tables } from '../resources/world.js'
import type { Frozen } from '../support/freeze.js'

/** A ready value for the `Authorization` header. */
export interface KeyDescription {
  authorization: string
  type: ApiTokenRecord['type']
  /** Whose it is: an e-mail address, or the name of the token. */
  holder: string
  /** What it may do, in words. */
  may: string
}

/** The keys of a world, and what each may do now. */
export function describeKeys(tables: Tables, now: Date): KeyDescription[] {
  return tables.apiTokens.list().map((token) => ({
    authorization: token.secret,
    type: token.type,
    holder: userOf(token, tables)?.email ?? token.tokenName,
    may: findToken(tables, token.secret, now) === undefined ? 'nothing: it has expired' : mayDo(token, tables),
  }))
}

function mayDo(token: Frozen<ApiTokenRecord>, tables: Tables): string {
  if (isForSdks(token)) return 'nothing here: it is a key for SDKs'
  if (token.type === 'admin') return 'everything'
  const user = userOf(token, tables)
  if (user === undefined) return 'nothing: its user is missing'
  const granted = tables.roles.get(user.rootRole)?.permissions ?? []
  if (granted.some(({ name }) => name === 'ADMIN')) return 'everything'
  if (granted.length === 0) return 'read only'
  const names = granted.map(({ name, environment }) => (environment === undefined ? name : `${name} (${environment})`))
  return `read, and ${names.join(', ')}`
}

function userOf({ userId }: Frozen<ApiTokenRecord>, tables: Tables) {
  return userId === null ? undefined : tables.users.get(userId)
}
