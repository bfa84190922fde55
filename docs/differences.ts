// The page of known differences from Unleash, and how often operations were compared.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { differences, type KnownDifference } from '../test/fidelity/differences.js'

const GROUPS: Readonly<Record<KnownDifference['why'], string>> = {
  chosen: 'Chosen, because nobody’s client depends on Unleash’s behaviour, and ours is easier to test with',
  'not modelled': 'Not modelled, because each needs a separate mechanism for a rare request',
  chance: 'Chance: Unleash varies by itself',
}

/** The rows of the table of differences, by the reason. */
export function differencesByReason(): string {
  return Object.entries(GROUPS)
    .map(([why, title]) => {
      const rows = differences.filter((row) => row.why === why)
      return [`### ${title}`, '', ...rows.map(({ sentence }) => `- ${sentence}`)].join('\n')
    })
    .join('\n\n')
}

interface Compared {
  release: string
  operations: Readonly<Record<string, { compared: number; equal: number }>>
}

/** For each operation, how often it was compared with Unleash in the campaigns of the release. */
export function comparisons(root: string): (id: string) => string {
  const { operations }: Compared = JSON.parse(readFileSync(join(root, 'test/fidelity/compared.json'), 'utf8'))
  return (id) => {
    const counts = operations[id]
    return counts === undefined ? '' : `, ${counts.equal}/${counts.compared}`
  }
}
