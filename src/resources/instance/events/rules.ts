/** The user that stands for admin API tokens. */
export const apiTokenUser = { id: -42, name: 'Unleash Admin Token' } as const

/** The user in whose name the service logs what nobody is signed in for. What they are called is the profile's affair. */
export const SYSTEM_USER = -1337

/** What that user is called as somebody who makes things. */
export const SYSTEM_NAME = 'Unleash System'
