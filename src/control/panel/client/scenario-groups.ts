import type { ScenarioState } from '../../control.js'

/** Under which headings the built-in scenarios are listed. All others are the user's own. */
const groups = {
  Data: ['default', 'empty', 'fresh-server', 'large-project', 'expired-token', 'disabled-token'],
  Errors: [
    'missing-permission',
    'unauthenticated',
    'unsupported-content-type',
    'name-taken',
    'unknown-feature',
    'rate-limited',
    'server-error',
  ],
  Network: ['slow', 'flaky', 'offline'],
} as const

const OWN = 'Your own'

interface ScenarioGroup {
  title: string
  scenarios: ScenarioState[]
}

/** The scenarios under their headings, the user's own first. Headings without any are left out. */
export function groupScenarios(scenarios: readonly ScenarioState[]): ScenarioGroup[] {
  return [OWN, ...Object.keys(groups)]
    .map((title) => ({ title, scenarios: scenarios.filter(({ name }) => headingOf(name) === title) }))
    .filter((group) => group.scenarios.length > 0)
}

function headingOf(name: string): string {
  const [heading = OWN] = Object.entries(groups).find(([, names]) => (names as readonly string[]).includes(name)) ?? []
  return heading
}
