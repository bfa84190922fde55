import type { Access } from '../../../contract/operation.js'
import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'

type Token = Pick<Frozen<ApiTokenRecord>, 'type' | 'expiresAt'>

export type SdkAccess = Extract<Access, 'client' | 'frontend'>

/** How personal keys begin. */
export const PERSONAL = 'user:'

/** The types of tokens that work on the paths for SDKs. */
const sdkTokenTypes: Readonly<Record<SdkAccess, readonly string[]>> = {
  client: ['client', 'backend'],
  frontend: ['frontend'],
}

/** The key in an `Authorization` header, without `Bearer `. */
export function keyIn(header: string | null): string {
  return (header ?? '').replace(/^bearer\s+/i, '').trim()
}

/** Whether a token is for SDKs, so that it does not work on other paths. */
export function isForSdks({ type }: Token): boolean {
  return type !== 'admin' && type !== 'user'
}

/** Whether a token works on this kind of path for SDKs. */
export function opens(access: SdkAccess, { type }: Token): boolean {
  return sdkTokenTypes[access].includes(type)
}

export function hasExpired({ expiresAt }: Token, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime()
}

/** Whether users can have permissions in this project and environment at all. */
export function isInReach(
  { projects, environments }: Profile['users'],
  { project, environment }: { project?: string | undefined; environment?: string | undefined },
): boolean {
  return (
    (project === undefined || projects === undefined || projects.includes(project)) &&
    (environment === undefined || environments === undefined || environments.includes(environment))
  )
}
