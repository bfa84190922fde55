import type { GivenInstant, GivenNames, GivenWholes } from './shared.js'

/** What can be changed of a user whose id is known. */
export interface GivenUserChange {
  /** The name to show. Default: null. */
  name?: string | null | undefined
  /** The e-mail address. Default: null. */
  email?: string | null | undefined
  /** The name for signing in. Default: null. */
  username?: string | null | undefined
  /** The id of the role in the whole service. Default: 3, Viewer. */
  rootRole?: number | undefined
  /** A person or a program. Default: `User`. */
  accountType?: 'User' | 'Service Account' | undefined
  /** How often signing in failed. Default: 0. */
  loginAttempts?: number | undefined
  /** When the user was last here. Default: null, never. */
  seenAt?: GivenInstant | null | undefined
  /** When the account was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** The id in a directory (SCIM). Default: null. */
  scimId?: string | null | undefined
  /** The hash of the password, as snapshots have it. */
  passwordHash?: string | null | undefined
  /** Questions that the user answered or dismissed. */
  feedback?: GivenFeedback[] | undefined
  /** Screens that the user has seen, by id. */
  splash?: Record<string, boolean> | undefined
  /** The password in plain text. It is stored as its hash. */
  password?: string | undefined
  /** Always false, as responses have it. */
  isAPI?: boolean | undefined
  /** A picture. It must agree with the e-mail address. */
  imageUrl?: string | undefined
  /** The link of an invitation, as responses have it. */
  inviteLink?: string | undefined
  /** Always false, as responses have it. */
  emailSent?: boolean | undefined
  /** Always empty, as responses have it. See `roles`. */
  permissions?: string[] | undefined
  /** Always null, as responses have it. */
  seatType?: null | undefined
  /** Always null, as responses have it. */
  companyRole?: null | undefined
  /** Always null, as responses have it. */
  productUpdatesEmailConsent?: null | undefined
}

/** A user. Only the id is needed. */
export interface GivenUser extends GivenUserChange {
  /** The id. */
  id: number
}

/** A question that a user answered or dismissed. */
export interface GivenFeedback {
  /** The id of the question. */
  feedbackId: string
  /** Whether it is never shown again. */
  neverShow: boolean
  /** When it was answered; null if it was not. */
  given: string | null
}

/** What can be changed of a role whose id is known. */
export interface GivenRoleChange {
  /** Its type, such as `root`, `project` or `custom`. */
  type?: string | undefined
  /** The name to show. */
  name?: string | undefined
  /** What it is for. */
  description?: string | undefined
  /** The project that it belongs to; null for the whole service. */
  project?: string | null | undefined
  /** What it allows: permissions by name, everywhere or in one environment. */
  permissions?: (string | GivenPermission)[] | undefined
  /** What it allows or forbids apart from its permissions. */
  exceptions?: GivenWholes<GivenException> | undefined
}

/** A role. Only its id is needed. */
export interface GivenRole extends GivenRoleChange {
  /** Its id. */
  id: number
}

/** A permission in one environment. */
export interface GivenPermission {
  /** The name, such as `CREATE_FEATURE`. */
  name: string
  /** The environment. Default: all. */
  environment?: string | undefined
}

/** What a role allows or forbids apart from its permissions. */
export interface GivenException {
  /** The name of the permission. */
  permission: string
  /** The environment; null for all. */
  environment: string | null
  /** Whether it is allowed. */
  granted: boolean
}

/** An invitation to sign up. Only its secret is needed. */
export interface GivenSignupToken {
  /** The secret, as in the link. */
  secret: string
  /** The name to show. Default: the secret. */
  name?: string | undefined
  /** Whether it can be used until it expires. Default: true. */
  enabled?: boolean | undefined
  /** When it expires. Default: 30 days from the start of the world. */
  expiresAt?: GivenInstant | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** Who created it. Default: null. */
  createdBy?: string | null | undefined
  /** The users who signed up with it, by id. */
  users?: GivenReference[] | undefined
  /** The role that new users get, by id. Default: Viewer. */
  role?: GivenReference | undefined
  /** The link, as responses have it. It must end with the secret. */
  url?: string | null | undefined
}

/** A record by its id. What else a snapshot shows of it must agree with the record. */
export interface GivenReference {
  /** The id. */
  id: number
  [shown: string]: unknown
}

/** A key for the API or for SDKs. Only its secret is needed. */
export interface GivenApiToken {
  /** The value of the header `Authorization`. */
  secret: string
  /** What it is for. */
  type?: 'admin' | 'client' | 'backend' | 'frontend' | 'user' | undefined
  /** The name to show. */
  tokenName?: string | undefined
  /** The environment of an SDK's key, or `*`. */
  environment?: string | undefined
  /** The ids of the projects that it is for, or `*`. */
  projects?: GivenNames | undefined
  /** Another name that SDKs may send in place of the secret. Default: null. */
  alias?: string | null | undefined
  /** The user that a personal key belongs to. */
  userId?: number | null | undefined
  /** When it expires. Default: null, never. */
  expiresAt?: GivenInstant | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
}

/** A user who is signed in. */
export interface GivenLogin {
  /** The value of the cookie. */
  secret: string
  /** The id of the user. */
  userId: number
  /** When the user signed in. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
}

/** A link to choose a new password. */
export interface GivenResetToken {
  /** The secret, as in the link. */
  secret: string
  /** The id of the user. */
  userId: number
  /** Who asked for it. Default: null. */
  createdBy?: string | null | undefined
  /** When it was created. Default: the start of the world. */
  createdAt?: GivenInstant | undefined
  /** When it expires. Default: a day later. */
  expiresAt?: GivenInstant | undefined
}
