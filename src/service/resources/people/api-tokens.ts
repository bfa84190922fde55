import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { Permission } from '../../contract/permissions.js'
import type { Profile } from '../../contract/profile.js'
import { secret } from '../../contract/secrets.js'
import { computed, derived, field, instant, optional, written } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { pick } from '../shared/pick.js'
import { instantSchema, named, ruledText, sentInstantSchema } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

/** The environment in the secret of an API token, `project:environment.hash`. */
const SCOPED_SECRET = /^[^:\s]+:([^:.\s]+)\.\S/

/** The selector in a secret of the form v2, `project:environment.v2_selector_hash` or `user:v2_selector_hash`. */
const SELECTOR = /[.:]v2_([\w-]{22})_[\w-]{43}$/

/**
 * A token for the `Authorization` header. `admin`, `client`, `backend` (another name for `client`) and `frontend` are
 * Unleash's API tokens; `user` is a personal access token, which has the permissions of its user.
 */
export const apiTokenRecordSchema = object(() => ({
  secret: secret(field(z.string().min(1), 'The value of the `Authorization` header.')),
  type: derived(
    z.enum(['admin', 'client', 'backend', 'frontend', 'user']),
    ({ userId }: { userId?: number | null | undefined }) => (userId == null ? 'admin' : 'user'),
    "The type. Default: `user` for a user's token, or else `admin`.",
  ),
  tokenName: derived(
    z.string(),
    ({ secret }: { secret: string }) => secret.replace(/^.*[.:]/, ''),
    'The display name. Default: the end of the secret.',
  ),
  environment: derived(
    z.string(),
    ({ secret }: { secret: string }) => SCOPED_SECRET.exec(secret)?.[1] ?? '*',
    "The environment of an SDK's token, or `*`. Default: the environment in the secret, `project:environment.hash`, or `*`.",
  ),
  projects: optional(z.array(z.string()), ['*'], 'The IDs of its projects, or `*`.'),
  userId: optional(z.int().nullable(), null, "The ID of a personal token's user."),
  expiresAt: instant(null, 'The time of expiry; null for never.'),
  createdAt: written(instant('now', 'The time of creation.')),
  alias: field(z.string().nullable().optional(), 'An alias that SDKs can send in place of the secret. Default: null.'),
  generated: field(
    z.boolean().optional(),
    'Whether a request created it, so that only the caller knows it: the journal hides it. Default: false.',
  ),
}))

export type ApiTokenRecord = z.infer<typeof apiTokenRecordSchema>

export type StoredApiToken = Frozen<ApiTokenRecord>

/** A token with a secret of the form v1. */
const wholeTokenSchema = object(() => ({
  secret: secret(z.string()),
  tokenName: z.string(),
  type: z.string(),
  environment: z.string(),
  project: z.string(),
  projects: z.array(z.string()),
  expiresAt: instantSchema.nullable(),
  createdAt: instantSchema,
  seenAt: instantSchema.nullable(),
  alias: z.string().nullable(),
  secure: z.boolean(),
}))

/** A token with a secret of the form v2 has no alias, and only the dates that it needs. */
const apiTokenSchema = named(
  'apiTokenSchema',
  () => wholeTokenSchema.partial({ expiresAt: true, seenAt: true, alias: true }).shape,
)

/** An API token in the response to its creation: without `seenAt`, and without `expiresAt` if it never expires. */
export const newApiTokenSchema = named('newApiTokenSchema', () => apiTokenSchema.omit({ seenAt: true }).shape)

export const apiTokensSchema = named('apiTokensSchema', () => ({ tokens: z.array(apiTokenSchema) }))

const SDK_TYPE = /^([Cc][Ll][Ii][Ee][Nn][Tt]|[Bb][Aa][Cc][Kk][Ee][Nn][Dd]|[Ff][Rr][Oo][Nn][Tt][Ee][Nn][Dd])$/

const tokenName = ruledText((name) => (name === '' ? 'must not be empty' : undefined)).meta({ minLength: 1 })

export const newTokenSchema = object(() => ({
  expiresAt: sentInstantSchema.optional(),
  type: z.string().regex(SDK_TYPE, `must be client, backend or frontend (pattern "${SDK_TYPE.source}")`),
  tokenName,
  environment: z.string().optional(),
}))

export type TokenAction = 'CREATE' | 'READ' | 'UPDATE' | 'DELETE'

/** The permission that an action on a token needs. Admin tokens are reserved for admins. */
export function permissionFor(action: TokenAction, { type }: Pick<ApiTokenRecord, 'type'>): Permission {
  if (type === 'frontend') return `${action}_FRONTEND_API_TOKEN`
  return type === 'admin' ? 'ADMIN' : `${action}_CLIENT_API_TOKEN`
}

/** The permissions for an action on tokens, of which the caller needs one. */
export function permissionsFor(action: TokenAction): readonly Permission[] {
  return ['ADMIN', `${action}_CLIENT_API_TOKEN`, `${action}_FRONTEND_API_TOKEN`]
}

/** The beginning of a new token's secret: its project and its environment. */
export function scopeOf({ projects, environment }: Pick<ApiTokenRecord, 'environment' | 'projects'>): string {
  const [project = '*', ...others] = projects
  return `${others.length > 0 ? '[]' : project}:${environment}.`
}

/** The random end of a new secret. */
export function newSecret(ids: { hex(bytes: number): string }, { tokenFormat }: Profile): string {
  return tokenFormat === 'v1' ? ids.hex(28) : `v2_${ids.hex(11)}_${ids.hex(22).slice(1)}`
}

/** The text that lists and events show in place of a secret of the form v2; undefined for the form v1. */
export function selectorOf({ secret }: Pick<ApiTokenRecord, 'secret'>): string | undefined {
  return SELECTOR.exec(secret)?.[1]
}

export const apiTokenTable = defineTable({
  meaning: 'API tokens. Only `secret` is needed.',
  record: apiTokenRecordSchema,
  more: {
    project: computed(z.string(), 'The IDs of its projects as one text, computed from `projects`.'),
    username: computed(z.string(), 'The display name, as in responses of older versions: see `tokenName`.'),
    seenAt: computed(instantSchema.nullable(), 'Always null, as in responses.'),
    secure: computed(z.boolean(), 'Whether the secret has the form v2, computed from it.'),
  },
  keyName: 'the secret of an API token',
  key: ({ secret }) => secret,
  indexes: {
    user: ({ userId }) => (userId === null ? [] : [userId]),
    alias: ({ alias = null }) => (alias === null ? [] : [alias]),
  },
  *references({ userId }) {
    if (userId !== null) yield { at: 'userId', to: 'users', key: userId }
  },
})

const shared = ({ projects, alias = null }: StoredApiToken) => {
  return { project: projects.join(','), seenAt: null, alias, secure: false }
}
const present = pick(wholeTokenSchema, shared)
const presentSecure = pick(apiTokenSchema, (token: StoredApiToken) => ({ ...shared(token), alias: null, secure: true }))

/** A stored token: Unleash lists tokens of the type `backend` by their older name. */
export function presentApiToken(token: StoredApiToken) {
  const secret = selectorOf(token)
  if (secret !== undefined) return presentSecure({ ...token, secret })
  return present(token.type === 'backend' ? { ...token, type: 'client' } : token)
}

export function presentNewApiToken(token: StoredApiToken) {
  const { secret, type } = token
  const { seenAt: _, expiresAt, ...shown } = presentApiToken(token)
  return { ...shown, secret, type, ...(expiresAt != null && { expiresAt }) }
}

/** A token as in events, which show its selector, or nothing, in place of its secret. */
function summarize<Shown extends { secret: string }>({ secret: _, ...shown }: Shown, token: StoredApiToken) {
  const selector = selectorOf(token)
  return selector === undefined ? shown : { ...shown, selector, tokenVersion: 2 }
}

export function summarizeNewApiToken(token: StoredApiToken) {
  return summarize(presentNewApiToken(token), token)
}

export function summarizeApiToken(token: StoredApiToken) {
  return summarize(presentApiToken(token), token)
}
