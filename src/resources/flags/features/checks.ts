import { nameRule } from '../../shared/checks.js'

/** The rule for names of features. */
export const featureName = nameRule({ shortest: 1, longest: 100 })
