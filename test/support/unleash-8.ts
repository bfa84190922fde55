import type { MockOptions } from '../../src/engine/mock/mock.js'
import recordings from '../fidelity/scenarios/recordings.json' with { type: 'json' }
import { NOW, type SendOptions } from './adapters.js'

/** The instance behind the recordings. */
export const running: MockOptions = { profile: 'unleash-8', scenario: recordings, seed: 'tests', now: NOW }

export const tokens = {
  admin: '*:*.some-secret',
  client: '*:development.some-client-secret',
  frontend: '*:development.some-frontend-secret',
  viewer: `user:${'1'.repeat(56)}`,
  editor: `user:${'2'.repeat(56)}`,
  admin2: `user:${'3'.repeat(56)}`,
} as const

/** Options of a request with this API token, with further headers. */
export function by(key: string | null, headers: Record<string, string> = {}): SendOptions {
  return { key, headers }
}
