import compare from 'semver/functions/compare.js'
import valid from 'semver/functions/valid.js'

/** How two semantic versions stand to each other: below, at or above zero; undefined if one of them is none. */
export function compareVersions(one: string, other: string): number | undefined {
  return isVersion(one) && isVersion(other) ? compare(one, other) : undefined
}

/** As the standard has it: all three numbers, and no `v` before them. */
function isVersion(text: string): boolean {
  return valid(text) !== null && !text.trim().startsWith('v')
}
