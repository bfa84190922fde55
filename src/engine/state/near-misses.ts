import { isVersion } from '../../service/evaluation/constraints.js'
import type { StoredFeature } from '../../service/resources/flags/features.js'
import type { Tables } from '../../service/resources/tables.js'
import { isValidJson, show } from '../../support/json.js'
import { meantRecord } from './state-fault.js'

/**
 * Sentences about names and values in the data that lead to nothing, and that Unleash accepts all the same: misspelt names
 * of context fields and parameters, values that aren't read, and API tokens for unknown places. Flags of others aren't
 * looked at: a name there can be near a new one.
 */
export function nearMisses(tables: Tables, isOfOthers: (flag: string) => boolean = () => false): string[] {
  return [...new Set([...inStrategies(tables, isOfOthers), ...inTokens(tables)])]
}

function inStrategies(
  { features, contextFields, strategyTypes }: Tables,
  isOfOthers: (flag: string) => boolean,
): string[] {
  const fields = contextFields.list().map(({ name }) => name)
  const known = new Map(strategyTypes.list().map(({ name, parameters }) => [name, parameters.map((one) => one.name)]))
  const stickinesses = [...fields, 'default', 'random']
  const found: string[] = []
  const expect = (name: string, names: readonly string[], where: string) => {
    const hint = names.includes(name) ? '' : meantRecord(name, names)
    if (hint !== '') found.push(`${where} "${name}".${hint}`)
  }
  for (const { name: feature, environments } of features.list()) {
    if (isOfOthers(feature)) continue
    for (const { name, parameters, constraints } of environments.flatMap(({ strategies }) => strategies)) {
      const where = `The strategy ${name} of the flag ${feature} names the`
      for (const parameter of Object.keys(parameters)) expect(parameter, known.get(name) ?? [], `${where} parameter`)
      const { stickiness = 'default' } = parameters
      expect(stickiness, stickinesses, `${where} stickiness`)
      for (const { contextName } of constraints) expect(contextName, fields, `${where} context field`)
      found.push(
        ...unread({ parameters, constraints }).map((what) => `The strategy ${name} of the flag ${feature} ${what}`),
      )
    }
    for (const { name, payload } of environments.flatMap(({ variants }) => variants)) {
      const fault = payload && payloadFault(payload)
      if (fault) found.push(`The payload of the variant ${name} of the flag ${feature} has the type ${fault}.`)
    }
  }
  return found
}

function payloadFault({ type, value }: { type: string; value: string }): string | undefined {
  if (type === 'json' && !isValidJson(value)) return "json, but isn't well-formed JSON"
  return type === 'number' && Number.isNaN(Number(value)) ? "number, but isn't a number" : undefined
}

type Evaluated = Pick<StoredFeature['environments'][number]['strategies'][number], 'parameters' | 'constraints'>

/** Ends of sentences about values of a strategy that SDKs ignore. */
function unread({ parameters, constraints }: Evaluated): string[] {
  const { rollout } = parameters
  const isRollout = rollout === undefined || (Number(rollout) >= 0 && Number(rollout) <= 100)
  return [
    ...(isRollout ? [] : [`has the rollout ${show(rollout)}, which isn't a percentage from 0 to 100.`]),
    ...constraints.flatMap(({ contextName, operator, value, values = [] }) => {
      const isUnread = value && values.length === 0 && (operator === 'IN' || operator === 'NOT_IN')
      const kind = value === undefined ? undefined : wrongKind(operator, value)
      if (kind !== undefined)
        return `has a constraint on ${contextName} with ${operator} ${show(value)}, which isn't ${kind}.`
      return isUnread ? `has a constraint on ${contextName} with "value", but ${operator} reads "values".` : []
    }),
  ]
}

/** What a constraint's value would have to be for its operator to compare it. */
function wrongKind(operator: string, value: string): string | undefined {
  if (operator.startsWith('NUM_') && Number.isNaN(Number(value))) return 'a number'
  if (operator.startsWith('DATE_') && Number.isNaN(Date.parse(value))) return 'a date'
  return operator.startsWith('SEMVER_') && !isVersion(value) ? 'a version such as 1.2.0' : undefined
}

function inTokens({ apiTokens, environments, projects, features }: Tables): string[] {
  const unknown = (what: string, names: readonly string[], known: readonly string[]) =>
    names
      .filter((name) => name !== '*' && name !== '' && !known.includes(name))
      .map(
        (name) =>
          `An API token names the ${what} "${name}", which doesn't exist.${meantRecord(name, known)} It gives access to nothing there.`,
      )
  const tokens = apiTokens.list()
  const contradicting = tokens.flatMap(({ secret, environment }) => {
    const [, named = environment] = /^[^:]*:([^.:]+)\./.exec(secret) ?? []
    return named === environment
      ? []
      : `An API token names the environment "${named}" in its secret, but has the environment "${environment}", which counts.`
  })
  const used = new Set([
    ...projects.list().flatMap((project) => project.environments),
    ...features.list().flatMap((feature) => feature.environments.map(({ name }) => name)),
  ])
  const ofNoProject = tokens
    .filter(({ environment }) => environments.get(environment) !== undefined && !used.has(environment))
    .map(
      ({ environment }) =>
        `An API token names the environment "${environment}", which no project has, so its flags are off. List it in "environments" of a project.`,
    )
  return [
    ...contradicting,
    ...ofNoProject,
    ...unknown(
      'environment',
      tokens.map(({ environment }) => environment),
      environments.list().map(({ name }) => name),
    ),
    ...unknown(
      'project',
      tokens.flatMap((token) => token.projects),
      projects.list().map(({ id }) => id),
    ),
  ]
}
