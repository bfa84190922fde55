import type { PartialState } from '../../engine/state/partial-state.js'
import { summarizeFeature } from '../../service/resources/flags/features.model.js'
import { summarizeNewApiToken } from '../../service/resources/people/api-tokens.js'
import type { Tables } from '../../service/resources/tables.js'

type Event = Omit<NonNullable<Extract<PartialState['events'], readonly unknown[]>>[number], 'id'>

/** The records that a start creates. */
interface Made {
  /** The secrets of the API tokens. */
  secrets: ReadonlySet<string>
  /** The features of an import, and their target. */
  imported?: undefined | { features: readonly { name: string }[]; project: string; environment: string }
}

/** The events that Unleash logs at its start, in its own name: for its API tokens, then for imported features. */
export function startEvents(tables: Tables, createdBy: string, { secrets, imported }: Made) {
  const tokens = tables.apiTokens.list().filter(({ secret }) => secrets.has(secret))
  const ofTokens = tokens.map((token): Event => {
    const data = summarizeNewApiToken(token)
    return { type: 'api-token-created', data, project: data.project, environment: token.environment }
  })
  const all = [...ofTokens, ...(imported === undefined ? [] : importEvents(tables, imported))]
  const last = tables.events.nextId
  return all.map((event, i) => ({ ...event, id: last + i, createdBy }))
}

function importEvents(
  tables: Tables,
  { features: named, project, environment }: NonNullable<Made['imported']>,
): Event[] {
  const features = named.flatMap(({ name }) => tables.features.get(name) ?? [])
  const about = features.map(({ name: featureName, tags, environments }) => {
    const own = environments.filter(({ name }) => name === environment)
    const event = { featureName, project, environment, tags: [...tags] }
    const strategies = own.flatMap((one) => one.strategies)
    return [
      ...tags.map((data) => ({ ...event, type: 'feature-tagged', data, environment: null })),
      ...strategies.map((data) => ({ ...event, type: 'feature-strategy-add', data })),
      ...(own.some(({ enabled }) => enabled) ? [{ ...event, type: 'feature-environment-enabled', data: null }] : []),
    ]
  })
  return [
    ...features.map((feature) => {
      return { type: 'feature-created', data: summarizeFeature(feature), featureName: feature.name, project }
    }),
    ...about.flat(),
    { type: 'features-imported', data: null, project, environment },
  ]
}
