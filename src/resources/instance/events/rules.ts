/** The user that represents admin API tokens. */
export const apiTokenUser = { id: -42, name: 'Unleash Admin Token' } as const

/** The id of the user that events name if nobody is signed in. The username depends on the profile. */
export const SYSTEM_USER = -1337

/** The name of that user in the list of event creators. */
export const SYSTEM_NAME = 'Unleash System'
