import { type Client, FIXED, onEveryDoor } from './doors.js'

/** Runs a suite on every door under each profile, for behaviour in which they don't differ. */
export function onBothProfiles(name: string, suite: (client: Client) => void): void {
  for (const profile of ['documented', 'unleash-8'] as const) {
    onEveryDoor(`${name} (${profile})`, suite, { ...FIXED, profile })
  }
}
