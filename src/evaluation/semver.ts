import compare from 'semver/functions/compare.js'
import valid from 'semver/functions/valid.js'

/** Compares two semantic versions: below, at or above zero; undefined if one of them is invalid. */
export function compareVersions(one: string, other: string): number | undefined {
  return isVersion(one) && isVersion(other) ? compare(one, other) : undefined
}

/** Whether a text is a version by the standard: with all three numbers, and without a leading `v`. */
function isVersion(text: string): boolean {
  return valid(text) !== null && !text.trim().startsWith('v')
}
