import { isObject } from '../../support/json.js'
import { grouped } from '../../support/lists.js'

/** The environment for files that name none. */
export const USUAL_ENVIRONMENT = 'development'

type OlderFields = Readonly<Record<string, unknown>>

/** A file in the form of its current format. */
interface CurrentForm {
  content: unknown
  /** The place in the file for a path in the content. */
  locate(path: string): string
}

/** Converts older and wrapped forms of Unleash's files. Other files stay unchanged. */
export function inCurrentForm(given: unknown): CurrentForm {
  if (isImport(given)) {
    const { content, locate } = inCurrentForm(given.data)
    const moved = exportInto(content as object, {
      project: String(given.project),
      environment: String(given.environment),
    })
    return { content: moved, locate: (path) => locate(path).replace('$', '$.data') }
  }
  if (Array.isArray(given)) {
    const flags = isOfGitLab(given) ? fromGitLab(given.filter(isObject)) : given
    const name = flags.some((flag) => hasStrategies(flag) || hasEnvironments(flag)) ? 'features' : 'toggles'
    return { content: { [name]: flags }, locate: (path) => path.replace(`$.${name}`, '$') }
  }
  if (isWholeFlag(given)) {
    const { content } = inCurrentForm([given])
    return { content, locate: (path) => path.replace('$.features[0]', '$') }
  }
  if (isByName(given)) return inCurrentForm(withNames(given))
  if (isObject(given) && isByName(given.toggles)) {
    return inCurrentForm({ ...given, toggles: withNames(given.toggles) })
  }
  const locate = (path: string) => path
  if (isDelta(given)) return { content: fromDelta(given.events), locate }
  const content = isStateExport(given) ? fromStateExport(given) : given
  return { content: withTagsOfVersion1(content), locate }
}

/** Whether a value is a feature with its own strategies, as SDKs get it. */
export function hasStrategies(item: unknown): boolean {
  return isObject(item) && Array.isArray(item.strategies)
}

export function hasEnvironments(item: unknown): boolean {
  return isObject(item) && Array.isArray(item.environments)
}

/** Whether a value is a feature with its own strategies next to its environments. In responses of Unleash, this list is empty. */
export function hasOwnStrategies(item: unknown): boolean {
  return isObject(item) && Array.isArray(item.strategies) && item.strategies.length > 0
}

/** Whether a value is one feature, as in a saved response. */
export function isWholeFlag(given: unknown): boolean {
  return isObject(given) && typeof given.name === 'string' && (hasStrategies(given) || hasEnvironments(given))
}

/**
 * Whether a value contains flags by their names, as the stored files of the Go and Android SDKs do, and Edge's short bootstrap
 * file. Seed data have lists by their names.
 */
export function isByName(given: unknown): given is Readonly<Record<string, OlderFields>> {
  if (!isObject(given) || 'features' in given) return false
  const flags = Object.values(given)
  return flags.length > 0 && flags.every((flag) => isObject(flag) && typeof flag.enabled === 'boolean')
}

/** These flags as a list, so that the places in it are their positions. Edge writes only the name of a variant. */
export function withNames(flags: Readonly<Record<string, OlderFields>>): OlderFields[] {
  return Object.entries(flags).map(([name, flag]) => {
    const { variant } = flag
    return { ...flag, name, ...(typeof variant === 'string' && { variant: { name: variant, enabled: true } }) }
  })
}

/** Whether a list is GitLab's, whose flags have strategies of Unleash. */
export function isOfGitLab(flags: readonly unknown[]): boolean {
  return flags.every((flag) => isObject(flag) && typeof flag.active === 'boolean')
}

/** GitLab's strategies name their environments; `*` stands for the usual one and for all that the list names. */
function fromGitLab(flags: readonly OlderFields[]): OlderFields[] {
  const scopesIn = (list: unknown) => objectsIn(list).map((scope) => String(scope.environment_scope))
  const named = flags.flatMap((flag) => [flag, ...objectsIn(flag.strategies)].flatMap(({ scopes }) => scopesIn(scopes)))
  const environments = new Set([USUAL_ENVIRONMENT, ...named.filter((scope) => scope !== '*')])
  return flags.map((flag) => ({
    name: flag.name,
    description: flag.description,
    createdAt: flag.created_at,
    environments: [...environments].map((scope) => {
      // In older flags, each environment has its own strategies.
      const older = objectsIn(flag.scopes)
      const own =
        older.find((one) => one.environment_scope === scope) ?? older.find((one) => one.environment_scope === '*')
      const strategies = [
        ...objectsIn(flag.strategies).filter(({ scopes }) =>
          scopesIn(scopes).some((one) => [scope, '*'].includes(one)),
        ),
        ...(own?.active === true ? objectsIn(own.strategies) : []),
      ]
      return {
        // Names of environments can't have a slash, as in `review/*`.
        name: scope.replaceAll('/', '-'),
        enabled: flag.active === true && strategies.length > 0,
        strategies: strategies.map(strategyOfGitLab),
      }
    }),
  }))
}

function strategyOfGitLab({ name, parameters, user_list: list }: OlderFields): OlderFields {
  if (name !== 'gitlabUserList') return { name, parameters }
  return { name: 'userWithId', parameters: { userIds: isObject(list) ? list.user_xids : undefined } }
}

/** In version 1, the tags of features had other names. */
function withTagsOfVersion1(given: unknown): unknown {
  if (!isObject(given) || !Array.isArray(given.featureTags)) return given
  const named = (tag: unknown) =>
    isObject(tag) && 'value' in tag ? { tagType: tag.type, tagValue: tag.value, ...tag } : tag
  return { ...given, featureTags: given.featureTags.map(named) }
}

/** Whether a value is the body of an import: an export file with its target. */
export function isImport(given: unknown): given is OlderFields & { data: OlderFields } {
  return (
    isObject(given) &&
    typeof given.project === 'string' &&
    typeof given.environment === 'string' &&
    isObject(given.data) &&
    Array.isArray(given.data.features)
  )
}

/** An export file, or the body of an import, with another target project and environment. */
export function exportInto(file: object, { project, environment }: { project: string; environment: string }): object {
  const moved = (list: unknown, place: object) =>
    Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? { ...item, ...place } : item)) : list
  const exported = isImport(file) ? file.data : (file as OlderFields)
  const { features, featureStrategies, featureEnvironments } = exported
  return {
    ...exported,
    features: moved(features, { project }),
    featureStrategies: moved(featureStrategies, { environment }),
    ...(featureEnvironments === undefined ? {} : { featureEnvironments: moved(featureEnvironments, { environment }) }),
  }
}

/** Whether a value is the response of `/api/client/delta`: the events that lead to the features. */
export function isDelta(given: unknown): given is { events: OlderFields[] } {
  if (!isObject(given) || !Array.isArray(given.events) || given.events.length === 0) return false
  return given.events.every((event) => isObject(event) && 'eventId' in event)
}

function fromDelta(events: readonly OlderFields[]): OlderFields {
  const features = new Map<unknown, unknown>()
  const segments = new Map<unknown, unknown>()
  for (const event of events) {
    for (const one of objectsIn(event.features ?? [event.feature])) features.set(one.name, one)
    for (const one of objectsIn(event.segments ?? [event.segment])) segments.set(one.id, one)
    features.delete(event.featureName)
    segments.delete(event.segmentId)
  }
  return { version: 2, features: [...features.values()], segments: [...segments.values()] }
}

/** Unleash 4 and 5 export their whole state: strategies have other names, and segments and variants other places. */
export function isStateExport(given: unknown): given is OlderFields {
  if (!isObject(given) || !Array.isArray(given.featureStrategies)) return false
  const isOfState = (strategy: unknown) => isObject(strategy) && 'strategyName' in strategy
  return given.featureStrategySegments !== undefined || given.featureStrategies.some(isOfState)
}

function fromStateExport(given: OlderFields): OlderFields {
  const segments = grouped(objectsIn(given.featureStrategySegments), (one) => one.featureStrategyId)
  const features = new Map(objectsIn(given.features).map((feature) => [feature.name, feature]))
  return {
    ...given,
    featureStrategies: objectsIn(given.featureStrategies).map((strategy) => ({
      name: strategy.strategyName,
      segments: segments.get(strategy.id)?.map((one) => one.segmentId),
      ...strategy,
    })),
    featureEnvironments:
      given.featureEnvironments &&
      objectsIn(given.featureEnvironments).map((one) => ({
        variants: features.get(one.featureName ?? one.name)?.variants,
        ...one,
      })),
  }
}

function objectsIn(list: unknown): OlderFields[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
