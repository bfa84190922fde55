// Generated from scenarios/index.ts by `npm run docs`.

/** The panel's heading of each built-in scenario. */
export const headings = {
  default: 'Data',
  empty: 'Data',
  'expired-token': 'Data',
  'missing-permission': 'Errors',
  'unsupported-content-type': 'Errors',
  'disabled-token': 'Data',
  unauthenticated: 'Errors',
  'unknown-feature': 'Errors',
  'name-taken': 'Errors',
  slow: 'Network',
  flaky: 'Network',
  'rate-limited': 'Errors',
  'server-error': 'Errors',
  offline: 'Network',
  'large-project': 'Data',
  'fresh-server': 'Data',
} as const

/** The name of a built-in scenario. */
export type BuiltInScenario = keyof typeof headings
