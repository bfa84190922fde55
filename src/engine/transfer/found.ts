import { grouped } from '../../support/lists.js'
import { USUAL_ENVIRONMENT } from './older-forms.js'
import type {
  CheckedFile,
  FileConstraint,
  FileFeature,
  FileStrategy,
  FileVariant,
  ListedEnvironment,
} from './service-file.js'

/** The contents of an Unleash file, in any format. `at` is always the place in the file. */
export interface Found {
  features: readonly FeatureInFile[]
  segments: readonly { at: string; id: number; name?: string | undefined; constraints?: FileConstraint[] | undefined }[]
  /** The conditions of a segment that the file references without containing it. Undefined: no conditions. */
  absentSegment?: FileConstraint[]
  contextFields: readonly Placed<ExportPart<'contextFields'>>[]
  tagTypes: readonly Placed<ExportPart<'tagTypes'>>[]
  /** References to features outside of the file: the place and the name. */
  strays: readonly { at: string; name: string }[]
}

type Export = Extract<CheckedFile, { format: 'export' }>['content']
type ExportPart<Name extends 'contextFields' | 'tagTypes' | 'featureTags' | 'dependencies'> = NonNullable<
  Export[Name]
>[number]
type Dependency = ExportPart<'dependencies'>['dependencies'][number]

interface Placed<Value> {
  at: string
  value: Value
}

export interface FeatureInFile {
  at: string
  given: FileFeature
  environments: readonly EnvironmentInFile[]
  tags: readonly { at: string; names: { type: string; value: string }; type: string; value: string }[]
  dependencies: readonly Placed<Dependency>[]
  links: readonly Placed<{ url: string; title: string | undefined }>[]
}

export interface EnvironmentInFile {
  at: string
  name: string
  enabled: boolean | undefined
  variants?: Placed<FileVariant[]> | undefined
  /** Undefined if the file contains only their number. */
  strategies?: readonly Placed<FileStrategy>[]
  listed?: ListedEnvironment
}

export function findIn(file: CheckedFile): Found {
  switch (file.format) {
    case 'export':
      return findInExport(file.content)
    case 'client':
      return findInClient(file.content)
    case 'evaluated':
      return findInEvaluated(file.content)
    default:
      return findInList(file.content)
  }
}

/** The contents that only an export has. */
const nothingElse = { segments: [], contextFields: [], tagTypes: [], strays: [] }

function placed<Value>(list: readonly Value[] | undefined, path: string): Placed<Value>[] {
  return (list ?? []).map((value, i) => ({ at: `${path}[${i}]`, value }))
}

function findInExport(content: Export): Found {
  const states = placed(content.featureEnvironments, '$.featureEnvironments')
  const strategies = placed(content.featureStrategies, '$.featureStrategies')
  const tags = placed(content.featureTags, '$.featureTags')
  const parents = placed(content.dependencies, '$.dependencies')
  const links = placed(content.links, '$.links')
  const [usual] = states.flatMap(({ value }) => value.environment ?? [])
  const nameOf = ({ featureName, name }: (typeof states)[number]['value']) => featureName ?? name ?? ''
  const ofFeature = {
    states: grouped(states, ({ value }) => nameOf(value)),
    strategies: grouped(strategies, ({ value }) => value.featureName),
    parents: grouped(parents, ({ value }) => value.feature),
    links: grouped(links, ({ value }) => value.feature),
  }
  const tagsOf = taggedIn(tags)
  const features = placed(content.features, '$.features').map(({ at, value }) => {
    const own = ofFeature.states.get(value.name) ?? []
    const ownStrategies = ofFeature.strategies.get(value.name) ?? []
    const home = own[0]?.value.environment ?? usual ?? USUAL_ENVIRONMENT
    const placeOf = (one: { value: { environment: string | undefined } }) => one.value.environment ?? home
    return {
      at,
      given: value,
      environments: [...new Set([...own, ...ownStrategies].map(placeOf))].map((name) => {
        const state = own.find((one) => placeOf(one) === name)
        const variants = state?.value.variants
        return {
          at: state?.at ?? at,
          name,
          enabled: state?.value.enabled,
          variants: variants && { at: `${state?.at}.variants`, value: variants },
          strategies: ownStrategies.filter((one) => placeOf(one) === name),
        }
      }),
      tags: tagsOf(value.name),
      dependencies: (ofFeature.parents.get(value.name) ?? []).flatMap((one) =>
        placed(one.value.dependencies, `${one.at}.dependencies`),
      ),
      links: (ofFeature.links.get(value.name) ?? []).flatMap((one) => placed(one.value.links, `${one.at}.links`)),
    }
  })
  const named = [
    ...states.map(({ at, value }) => ({ at: `${at}.featureName`, name: nameOf(value) })),
    ...[...strategies, ...tags].map(({ at, value }) => ({ at: `${at}.featureName`, name: value.featureName })),
    ...[...parents, ...links].map(({ at, value }) => ({ at: `${at}.feature`, name: value.feature })),
  ]
  const known = new Set(content.features.map(({ name }) => name))
  return {
    features,
    segments: placed(content.segments, '$.segments').map(({ at, value }) => ({ at, ...value })),
    contextFields: placed(content.contextFields, '$.contextFields'),
    tagTypes: placed(content.tagTypes, '$.tagTypes'),
    strays: named.filter(({ name }) => !known.has(name)),
  }
}

/** The tags of a feature by its name. */
function taggedIn(tags: readonly Placed<ExportPart<'featureTags'>>[]): (feature: string) => FeatureInFile['tags'] {
  const byFeature = grouped(tags, ({ value }) => value.featureName)
  const names = { type: 'tagType', value: 'tagValue' }
  return (feature) =>
    (byFeature.get(feature) ?? []).map(({ at, value: { tagType: type = 'simple', tagValue: value } }) => {
      return { at, names, type, value }
    })
}

type Client = Extract<CheckedFile, { format: 'client' }>['content']

/** A condition that no user meets. An SDK treats a missing segment like this. */
const NOBODY: FileConstraint = {
  contextName: 'userId',
  operator: 'IN',
  values: [],
  value: undefined,
  inverted: undefined,
  caseInsensitive: undefined,
}

/** In SDKs, a variant without a stickiness has its strategy's. */
function asSdksRead(strategy: FileStrategy): FileStrategy {
  const { stickiness } = strategy.parameters ?? {}
  if (typeof stickiness !== 'string') return strategy
  const variants = strategy.variants?.map((variant) => ({ ...variant, stickiness: variant.stickiness ?? stickiness }))
  return { ...strategy, variants }
}

function findInClient({ features, segments, query, featureTags }: Client): Found {
  const tagsOf = taggedIn(placed(featureTags, '$.featureTags'))
  const environment = query?.environment ?? USUAL_ENVIRONMENT
  return {
    ...nothingElse,
    absentSegment: [NOBODY],
    features: placed(features, '$.features').map(({ at, value }) => ({
      at,
      given: value,
      environments: [
        {
          at,
          name: environment,
          enabled: value.enabled ?? false,
          variants: value.variants ? { at: `${at}.variants`, value: value.variants } : undefined,
          strategies: placed(value.strategies?.map(asSdksRead), `${at}.strategies`),
        },
      ],
      tags: tagsOf(value.name),
      dependencies: placed(value.dependencies, `${at}.dependencies`),
      links: [],
    })),
    segments: placed(segments, '$.segments').map(({ at, value: { id, name, constraints } }) => ({
      at,
      id,
      name,
      constraints: constraints ?? [],
    })),
  }
}

/** An evaluated flag is on or off for everyone, with its variant. */
function findInEvaluated({ toggles }: Extract<CheckedFile, { format: 'evaluated' }>['content']): Found {
  return {
    ...nothingElse,
    features: placed(toggles, '$.toggles').map(({ at, value }) => {
      const { enabled, variant } = value
      const variants = variant?.enabled ? { at: `${at}.variant`, value: [variant] } : undefined
      return {
        at,
        given: value,
        environments: [{ at, name: USUAL_ENVIRONMENT, enabled, variants, strategies: [] }],
        tags: [],
        dependencies: [],
        links: [],
      }
    }),
  }
}

type FlagList = Extract<CheckedFile, { format: 'project' | 'search' }>['content']

function findInList({ features }: FlagList): Found {
  return {
    ...nothingElse,
    features: placed(features, '$.features').map(({ at, value }) => {
      const { strategies = [], variants = [] } = value
      return {
        at,
        given: value,
        environments: placed(value.environments, `${at}.environments`).map((one) => {
          // Strategies and variants next to the environments are those of each environment without its own.
          const own = { at: one.at, ...one.value }
          const home = own.strategies === undefined && strategies.length > 0 ? { at, strategies } : own
          const variantsHome = own.variants === undefined && variants.length > 0 ? { at, variants } : own
          return {
            at: one.at,
            name: own.name,
            enabled: own.enabled,
            listed: one.value,
            variants: variantsHome.variants && { at: `${variantsHome.at}.variants`, value: variantsHome.variants },
            ...(home.strategies && { strategies: placed(home.strategies, `${home.at}.strategies`) }),
          }
        }),
        tags: placed(value.tags, `${at}.tags`).map((one) => ({
          at: one.at,
          names: { type: 'type', value: 'value' },
          ...one.value,
        })),
        dependencies: placed(value.dependencies, `${at}.dependencies`),
        links: placed(value.links, `${at}.links`),
      }
    }),
  }
}
