import type { GivenInstant } from '../../../service/resources/shared/schema.js'

export interface GivenUser extends UserChange {
  /** The id. */
  id: number
}

export interface UserChange {
  /** The name to show. Default: null. */
  name?: string | null | undefined
  /** The e-mail address. Default: null. */
  email?: string | null | undefined
  /** The name for signing in. Default: null. */
  username?: string | null | undefined
  /** The role in the whole service, by name or by id: `"Editor"`. Default: Viewer. */
  rootRole?: string | number | null | undefined
  /** A person or a program. Default: `"User"`. */
  accountType?: 'Service Account' | 'User' | null | undefined
  /** How often signing in failed. Default: 0. */
  loginAttempts?: number | null | undefined
  /** When the user was last here; null for never. Default: null. */
  seenAt?: GivenInstant | null | undefined
  /** When the account was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** The id in a directory (SCIM). Default: null. */
  scimId?: string | null | undefined
  /** The hash of the password, as snapshots have it. Default: null. */
  passwordHash?: string | null | undefined
  /** Questions that the user answered or dismissed. Default: empty. */
  feedback?: GivenFeedback[] | null | undefined
  /** Screens that the user has seen, by id. Default: empty. */
  splash?: { [name: string]: boolean | null } | null | undefined
  /** The hashes of earlier passwords, the last one first. None of them can be chosen again. Default: none. */
  earlierPasswords?: string[] | null | undefined
  /** When somebody last asked for a new password for the user. Default: never. */
  resetAskedAt?: GivenInstant | null | undefined
  /** The password in plain text. It is stored as its hash. */
  password?: string | null | undefined
  /** Always false, as responses have it. */
  isAPI?: boolean | null | undefined
  /** A picture. It must agree with the e-mail address. */
  imageUrl?: string | null | undefined
  /** The link of an invitation, as responses have it. */
  inviteLink?: string | null | undefined
  /** Always false, as responses have it. */
  emailSent?: boolean | null | undefined
  /** Always empty, as responses have it. See `roles`. */
  permissions?: string[] | null | undefined
  /** Always null, as responses have it. */
  seatType?: null | undefined
  /** Always null, as responses have it. */
  companyRole?: null | undefined
  /** Always null, as responses have it. */
  productUpdatesEmailConsent?: null | undefined
}

export interface GivenFeedback {
  /** The id of the question. */
  feedbackId: string
  /** Whether it is never shown again. */
  neverShow: boolean
  /** When it was answered; null if it was not. */
  given: string | null
}

export interface GivenRole extends RoleChange {
  /** Its id. */
  id: number
}

export interface RoleChange {
  /** Its type, such as `root`, `project` or `custom`. Default: `"root"`. */
  type?: string | null | undefined
  /** The name to show. Default: `Role`, and its id. */
  name?: string | null | undefined
  /** What it is for. Default: empty. */
  description?: string | null | undefined
  /** The project that it belongs to; null for the whole service. Default: null. */
  project?: string | null | undefined
  /** What it allows: permissions by name, everywhere or in one environment. Default: nothing. */
  permissions?: (GivenPermission | string)[] | null | undefined
  /** What it allows or forbids apart from its permissions. The last that matches decides. Default: empty. */
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
  /** The name to show. Default: the secret. */
  name?: string | null | undefined
  /** Whether it can be used until it expires. Default: true. */
  enabled?: boolean | null | undefined
  /** When it expires. Default: `"now+30d"`. */
  expiresAt?: GivenInstant | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** Who created it. Default: null. */
  createdBy?: string | null | undefined
  /** The users who signed up with it, by id. */
  users?: GivenReference[] | null | undefined
  /** The role that new users get: its name, its id, or, as responses have it, an object with the id. Default: Viewer. */
  role?: GivenReference | string | number | null | undefined
  /** The link, as responses have it. It must end with the secret. */
  url?: string | null | undefined
}

export interface GivenReference {
  /** The id. */
  id: number
  [name: string]: unknown
}

export interface GivenApiToken {
  /** The value of the header `Authorization`. */
  secret: string
  /** What it is for. Default: `user` if it belongs to one, or `admin`. */
  type?: 'admin' | 'backend' | 'client' | 'frontend' | 'user' | null | undefined
  /** The name to show. Default: the end of the secret. */
  tokenName?: string | null | undefined
  /** The environment of an SDK's key, or `*`. Default: that of the secret, `project:environment.hash`, or `*`. */
  environment?: string | null | undefined
  /** The ids of the projects that it is for, or `*`. Default: `["*"]`. */
  projects?: string[] | null | undefined
  /** The user that a personal key belongs to. Default: null. */
  userId?: number | null | undefined
  /** When it expires; null for never. Default: null. */
  expiresAt?: GivenInstant | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** Another name that SDKs may send in place of the secret. Default: null. */
  alias?: string | null | undefined
  /** Whether it was made by a request, so that only who sent that knows it: the journal doesn't show it. Default: false. */
  generated?: boolean | null | undefined
}

export interface GivenResetToken {
  /** The secret, as in the link. */
  secret: string
  /** The id of the user. */
  userId: number
  /** Who asked for it. Default: null. */
  createdBy?: string | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | null | undefined
  /** When it expires. Default: `"now+1d"`. */
  expiresAt?: GivenInstant | null | undefined
}
