import type { GivenInstant } from '../../../service/resources/shared/schema.js'

export interface GivenUser extends UserChange {
  /** The ID. */
  id: number
}

export interface UserChange {
  /** The display name. Default: null. */
  name?: string | null | undefined
  /** The email address. Default: null. */
  email?: string | null | undefined
  /** The name to sign in with. Default: null. */
  username?: string | null | undefined
  /** The root role, by name or ID: `"Editor"`. Default: Viewer. */
  rootRole?: string | number | null | undefined
  /** A user or a service account. Default: `"User"`. */
  accountType?: 'Service Account' | 'User' | null | undefined
  /** The number of failed logins. Default: 0. */
  loginAttempts?: number | null | undefined
  /** The time of the last visit; null for never. Default: null. */
  seenAt?: GivenInstant | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The SCIM ID. Default: null. */
  scimId?: string | null | undefined
  /** The hash of the password, as in snapshots. Default: null. */
  passwordHash?: string | null | undefined
  /** Feedback questions that the user has seen. Default: empty. */
  feedback?: GivenFeedback[] | null | undefined
  /** Splash screens that the user has seen, by ID. Default: empty. */
  splash?: { [name: string]: boolean | null } | null | undefined
  /** The hashes of earlier passwords, newest first, which the user can't choose again. Default: none. */
  earlierPasswords?: string[] | null | undefined
  /** The time of the last password reset request. Default: never. */
  resetAskedAt?: GivenInstant | null | undefined
  /** The password in plain text. It is stored as its hash. */
  password?: string | null | undefined
  /** Always false, as in responses. */
  isAPI?: boolean | null | undefined
  /** The picture's URL. Must agree with the email address. */
  imageUrl?: string | null | undefined
  /** The invitation link, as in responses. */
  inviteLink?: string | null | undefined
  /** Always false, as in responses. */
  emailSent?: boolean | null | undefined
  /** Always empty, as in responses. See `roles`. */
  permissions?: string[] | null | undefined
  /** Always null, as in responses. */
  seatType?: null | undefined
  /** Always null, as in responses. */
  companyRole?: null | undefined
  /** Always null, as in responses. */
  productUpdatesEmailConsent?: null | undefined
}

export interface GivenFeedback {
  /** The ID of the question. */
  feedbackId: string
  /** Whether it is never shown again. */
  neverShow: boolean
  /** The time of the response; null without a response. */
  given: string | null
}

export interface GivenRole extends RoleChange {
  /** The ID. */
  id: number
}

export interface RoleChange {
  /** The type, such as `root`, `project` or `custom`. Default: `"root"`. */
  type?: string | null | undefined
  /** The display name. Default: `Role` with its ID. */
  name?: string | null | undefined
  /** The description. Default: empty. */
  description?: string | null | undefined
  /** The project that it belongs to; null for all. Default: null. */
  project?: string | null | undefined
  /** Its permissions by name, in all environments or in one. Default: none. */
  permissions?: (GivenPermission | string)[] | null | undefined
  /** Exceptions to its permissions. The last match decides. Default: empty. */
  exceptions?: GivenException[] | null | undefined
}

export interface GivenPermission {
  /** The name, such as `CREATE_FEATURE`. */
  name: string
  /** The environment. Default: all. */
  environment?: string | undefined
}

export interface GivenException {
  /** The name of the permission. */
  permission: string
  /** The environment; null for all. */
  environment: string | null
  /** Whether it is allowed. */
  granted: boolean
}

export interface GivenSignupToken {
  /** The secret, as in the link. */
  secret: string
  /** The display name. Default: the secret. */
  name?: string | null | undefined
  /** Whether it works until it expires. Default: true. */
  enabled?: boolean | null | undefined
  /** The time of expiry. Default: `"now+30d"`. */
  expiresAt?: GivenInstant | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The name of its creator. Default: null. */
  createdBy?: string | null | undefined
  /** The IDs of the users who signed up with it. */
  users?: GivenReference[] | null | undefined
  /** The role of new users: its name, its ID, or, as in responses, an object with the ID. Default: Viewer. */
  role?: GivenReference | string | number | null | undefined
  /** The link, as in responses. Must end with the secret. */
  url?: string | null | undefined
}

export interface GivenReference {
  /** The ID. */
  id: number
  [name: string]: unknown
}

export interface GivenApiToken {
  /** The value of the `Authorization` header. */
  secret: string
  /** The type. Default: `user` for a user's token, or else `admin`. */
  type?: 'admin' | 'backend' | 'client' | 'frontend' | 'user' | null | undefined
  /** The display name. Default: the end of the secret. */
  tokenName?: string | null | undefined
  /** The environment of an SDK's token, or `*`. Default: the environment in the secret, `project:environment.hash`, or `*`. */
  environment?: string | null | undefined
  /** The IDs of its projects, or `*`. Default: `["*"]`. */
  projects?: string[] | null | undefined
  /** The ID of a personal token's user. Default: null. */
  userId?: number | null | undefined
  /** The time of expiry; null for never. Default: null. */
  expiresAt?: GivenInstant | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** An alias that SDKs can send in place of the secret. Default: null. */
  alias?: string | null | undefined
  /** Whether a request created it, so that only the caller knows it: the journal hides it. Default: false. */
  generated?: boolean | null | undefined
}

export interface GivenResetToken {
  /** The secret, as in the link. */
  secret: string
  /** The ID of the user. */
  userId: number
  /** The name of the user who requested it. Default: null. */
  createdBy?: string | null | undefined
  /** The time of creation. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The time of expiry. Default: `"now+1d"`. */
  expiresAt?: GivenInstant | null | undefined
}
