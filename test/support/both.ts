import type { ProfileName } from '../../src/index.js'
import { type Client, chosenFor, FIXED, onEveryAdapter } from './adapters.js'

const PROFILES = ['documented', 'unleash-8'] as const satisfies ProfileName[]

/** Runs a suite on every adapter in each profile, or in `npm test` on one in one, for behaviour that is the same in both. */
export function onBothProfiles(name: string, suite: (client: Client, profile: ProfileName) => void): void {
  for (const profile of chosenFor(name, PROFILES)) {
    onEveryAdapter(`${name} (${profile})`, (client) => suite(client, profile), { ...FIXED, profile })
  }
}
