import type { SentContext } from '../frontend/schema.js'

/** Evaluations that one request may ask for. */
const MAX_EVALUATIONS = 15_000

/** A context in which each field may list several values, separated by commas. */
interface ContextChoices {
  fields: ReadonlyMap<string, readonly string[]>
  appNames: readonly string[]
  /** The fields whose values are no text. They are left out. */
  invalid: string[]
}

/** The values of each field of a context. Properties become fields of their own. */
export function choicesOf({ appName, properties, ...others }: SentContext & { appName: string }): ContextChoices {
  const fields = new Map<string, string[]>()
  const invalid: string[] = []
  for (const [name, value] of [...Object.entries(others), ...Object.entries(properties ?? {})]) {
    if (typeof value === 'string') fields.set(name, value.split(','))
    else invalid.push(name)
  }
  return { fields, appNames: appName.split(','), invalid }
}

/** Why a request needs too many evaluations; undefined if it doesn't. */
export function tooManyEvaluations(
  { fields, appNames }: ContextChoices,
  { environments, features }: { environments: number; features: number },
): string | undefined {
  const contexts = [...fields.values()].reduce((product, { length }) => product * length, appNames.length)
  // Even without features, the contexts have to be made.
  const evaluations = environments * Math.max(features, 1) * contexts
  if (evaluations <= MAX_EVALUATIONS) return undefined
  return (
    `${environments} environments, ${features} features and ${contexts} contexts make ${evaluations} evaluations; ` +
    `at most ${MAX_EVALUATIONS} are allowed. Send fewer environments, projects or values.`
  )
}

/** Every context that the choices combine to. The values of the first field change slowest. */
export function combinationsOf({ fields, appNames }: ContextChoices): { appName: string }[] {
  let combinations: Record<string, string>[] = [{}]
  for (const [name, values] of fields) {
    combinations = combinations.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value })))
  }
  return combinations.flatMap((chosen) => appNames.map((appName) => ({ ...chosen, appName })))
}
