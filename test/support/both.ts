import { type Client, FIXED, onEveryAdapter } from './adapters.js'

/** Runs a suite on every adapter in each profile, for behaviour that is the same in both. */
export function onBothProfiles(name: string, suite: (client: Client) => void): void {
  for (const profile of ['documented', 'unleash-8'] as const) {
    onEveryAdapter(`${name} (${profile})`, suite, { ...FIXED, profile })
  }
}
