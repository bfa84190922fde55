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
      if (payload?.type !== 'json' || isValidJson(payload.value)) continue
      found.push(
        `The payload of the variant ${name} of the flag ${feature} has the type json, but isn't well-formed JSON.`,
      )
    }
  }
  return found
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
      return isUnread ? `has a constraint on ${contextName} with "value", but ${operator} reads "values".` : []
    }),
  ]
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
