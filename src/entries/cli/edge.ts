import { inCurrentForm } from '../../engine/transfer/older-forms.js'
import { formatOf } from '../../engine/transfer/service-file.js'
import { isObject } from '../../support/json.js'
import { UsageError } from '../files/usage-error.js'

/** A flag in the short form of Edge's bootstrap file, `{"NAME":{"enabled":true,"variant":"NAME"}}`. */
interface ShortFlag {
  enabled: boolean
  variant?: string
}

/**
 * The fixtures for Edge's bootstrap file. In its offline mode, each environment that a token names has the same flags.
 * Throws a `UsageError` if the file has neither of Edge's two formats.
 */
export function bootstrapFixtures(file: string, content: unknown, environments: readonly string[]): object[] {
  const full = isShort(content) ? inFull(content) : inCurrentForm(content).content
  const format = formatOf(full)
  const isEmpty = isObject(full) && Array.isArray(full.features) && full.features.length === 0 && format !== 'export'
  if (!isEmpty && format !== 'client') {
    throw new UsageError(
      `BOOTSTRAP_FILE can't be "${file}": it is not a bootstrap file of Edge.`,
      'Save the response of /api/client/features, or write {"my-flag":{"enabled":true,"variant":"blue"}}.',
    )
  }
  return isEmpty ? [] : environments.map((environment) => ({ ...(full as object), query: { environment } }))
}

function isShort(content: unknown): content is Record<string, ShortFlag> {
  const isFlag = (flag: unknown) =>
    isObject(flag) && typeof flag.enabled === 'boolean' && ['string', 'undefined'].includes(typeof flag.variant)
  return isObject(content) && Object.values(content).every(isFlag)
}

function inFull(flags: Readonly<Record<string, ShortFlag>>): object {
  const features = Object.entries(flags).map(([name, { enabled, variant }]) => ({
    name,
    enabled,
    strategies: [{ name: 'default' }],
    variants: variant === undefined ? [] : [{ name: variant, weight: 1000, weightType: 'fix', stickiness: 'default' }],
  }))
  return { version: 2, features, query: {} }
}
