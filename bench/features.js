// Writes a file with many realistic features: tags, environments, strategies, constraints. About 40 MB for 100,000.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const types = ['release', 'experiment', 'operational', 'kill-switch', 'permission']

function feature(number) {
  const name = `feature-${number}`
  const strategy = {
    name: 'flexibleRollout',
    constraints: [{ contextName: 'userId', operator: 'IN', values: [`user-${number}`, `user-${number + 1}`] }],
    parameters: { rollout: String(number % 101), stickiness: 'default', groupId: name },
  }
  return {
    name,
    type: types[number % types.length],
    description: `What the feature with the number ${number} is for`,
    tags: [{ type: 'simple', value: `team-${number % 50}` }],
    environments: [
      { name: 'development', enabled: true, strategies: [strategy] },
      { name: 'production', enabled: false, strategies: [] },
    ],
  }
}

/** Writes the file, and returns its path. */
export function writeFeatures(count) {
  const file = join(mkdtempSync(join(tmpdir(), 'flagdouble-bench-features-')), 'features.json')
  writeFileSync(file, JSON.stringify({ features: Array.from({ length: count }, (_, i) => feature(i + 1)) }))
  return file
}
