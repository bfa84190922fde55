import { builtInFeatureTypes } from '../../service/resources/flags/feature-types.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import { contextFieldName } from '../../service/resources/targeting/context-fields.js'
import { isObject } from '../../support/json.js'
import { counted } from '../../support/text.js'
import type { PartialState } from '../state/partial-state.js'
import type { State } from '../state/state.js'
import { danglingReference } from '../state/state-fault.js'
import { type EnvironmentInFile, type FeatureInFile, type Found, findIn } from './found.js'
import {
  checkFile,
  type FileConstraint,
  type FileStrategy,
  type FileVariant,
  type Format,
  listsOf,
} from './service-file.js'

/** An Unleash file, converted to seed data. */
export interface ServiceState {
  state: PartialState
  /** Errors in the file, with paths into it. With errors, the state is empty. */
  faults: readonly DataFault[]
  /** The contents of the file, and the records created for it, in words. */
  contents: readonly string[]
  /** The place in the file for a path in the state. */
  locate(path: string): string
}

/** Reads the content of an Unleash file in its current form, for a world with the known records. */
export function readContent(format: Format, content: unknown, known: State): ServiceState {
  const checked = checkFile(format, content)
  const broken = { state: {}, contents: [], locate: (path: string) => path }
  if ('faults' in checked) return { ...broken, faults: checked.faults }
  const found = findIn(checked.file)
  const names = found.features.map((one) => one.given.name)
  const faults = found.strays.map(({ at, name }) => danglingReference(at, 'a feature of this file', name, names))
  if (faults.length > 0) return { ...broken, faults }
  const draft = new FileDraft(known)
  draft.add(found)
  return { state: draft.state, faults, contents: draft.contents(), locate: (path) => draft.places.inFile(path) }
}

/** The lists of a file that aren't read, each with its length. */
export function listsNotRead(format: Format, content: unknown): string[] {
  if (!isObject(content)) return []
  const read = [...listsOf(format), ...CARRIED]
  return Object.entries(content).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0 && !read.includes(name) ? [`${name} (${list.length})`] : [],
  )
}

/** Lists whose contents other lists of the file carry along. */
const CARRIED = ['featureStrategySegments']

type Items<Name extends keyof PartialState> = Extract<PartialState[Name], readonly unknown[]>

/** The kinds of records that a file references, in the words of the report. */
const WORDS = {
  environments: 'environment',
  projects: 'project',
  contextFields: 'context field',
  segments: 'segment',
  tagTypes: 'tag type',
  strategyTypes: 'strategy type',
  featureTypes: 'feature type',
  features: 'feature',
} as const

type ListKind = keyof typeof WORDS
type Lists = { readonly [Name in ListKind]: Items<Name> }

/** Values of `stickiness` that aren't context fields. */
const NO_FIELDS = ['', 'default', 'random']

/** The places in the file, by the places in the seed data. */
class Places {
  readonly #all: [inState: string, inFile: string][] = []

  add(inState: string, inFile: string): void {
    this.#all.push([inState, inFile])
  }

  /** The place in the file for a path in the state: by the longest path above it. */
  inFile(path: string): string {
    const within = ([inState]: readonly [string, string]) =>
      path.startsWith(inState) && /^(?:$|[.[])/.test(path.slice(inState.length))
    const [inState, inFile] = this.#all.filter(within).toSorted(([one], [other]) => other.length - one.length)[0] ?? [
      '',
      '',
    ]
    return inFile + path.slice(inState.length)
  }
}

/** The IDs of a file's segments in the world. Segments are matched by name, because IDs differ between instances. */
class SegmentIds {
  readonly #byFileId = new Map<number, number>()
  readonly #added = new Map<string, number>()
  readonly #known: ReadonlyMap<string, number>
  readonly #knownIds: ReadonlySet<number>
  readonly #taken: Set<number>
  #highest: number

  constructor(known: State['segments']) {
    this.#known = new Map(known.map(({ name, id }) => [name, id]))
    this.#knownIds = new Set(known.map(({ id }) => id))
    this.#taken = new Set(this.#knownIds)
    this.#highest = known.reduce((highest, { id }) => Math.max(highest, id), 0)
  }

  /** The world's ID for a segment of the file: that of its name, or the file's, or a free one. */
  add(inFile: number, name: string): number {
    const id = this.#known.get(name) ?? this.#free(inFile)
    this.#byFileId.set(inFile, id)
    if (!this.#added.has(name)) this.#added.set(name, id)
    return id
  }

  /** The world's ID for an ID in the file. Undefined if neither has it. */
  get(inFile: number): number | undefined {
    return this.#byFileId.get(inFile) ?? (this.#knownIds.has(inFile) ? inFile : undefined)
  }

  /** The ID of a segment that was added by name. */
  added(name: string): number | undefined {
    return this.#added.get(name)
  }

  #free(wanted: number): number {
    const id = wanted > 0 && !this.#taken.has(wanted) ? wanted : this.#highest + 1
    this.#taken.add(id)
    this.#highest = Math.max(this.#highest, id)
    return id
  }
}

/** The seed data for a file, including references that neither the file nor the world contains. */
class FileDraft {
  readonly state: Lists = {
    environments: [],
    projects: [],
    contextFields: [],
    segments: [],
    tagTypes: [],
    strategyTypes: [],
    featureTypes: [],
    features: [],
  }
  readonly places = new Places()
  readonly #names: Readonly<Record<ListKind, Set<string>>>
  readonly #segmentIds: SegmentIds
  readonly #created: string[] = []
  readonly #knownFeatures: ReadonlyMap<string, State['features'][number]>
  readonly #knownProjects: ReadonlyMap<string, State['projects'][number]>
  readonly #givenProjects = new Map<string, Items<'projects'>[number]>()
  #absentSegment: FileConstraint[] | undefined
  #read = 0
  #guessed = 0

  constructor(known: State) {
    this.#knownFeatures = new Map(known.features.map((one) => [one.name, one]))
    this.#knownProjects = new Map(known.projects.map((one) => [one.id, one]))
    this.#segmentIds = new SegmentIds(known.segments)
    const named = (list: readonly { name: string }[]) => new Set(list.map(({ name }) => name))
    this.#names = {
      environments: named(known.environments),
      projects: new Set(known.projects.map(({ id }) => id)),
      contextFields: named(known.contextFields),
      segments: named(known.segments),
      tagTypes: named(known.tagTypes),
      strategyTypes: named(known.strategyTypes),
      featureTypes: new Set([...builtInFeatureTypes, ...known.featureTypes.map(({ id }) => id)]),
      features: named(known.features),
    }
  }

  add(found: Found): void {
    this.#read = found.features.length
    this.#absentSegment = found.absentSegment
    for (const { given } of found.features) this.#names.features.add(given.name)
    for (const one of found.segments) this.#addSegment(one)
    const added = new Set<string>()
    for (const { at, value } of found.contextFields) {
      const { name, project } = value
      if (project) this.#refer('projects', project, `${at}.project`, { id: project })
      this.#names.contextFields.add(name)
      this.#put('contextFields', at, value)
    }
    for (const { at, value } of found.tagTypes) {
      // As in Unleash's import, the first of two counts.
      if (added.has(value.name)) continue
      added.add(value.name)
      this.#names.tagTypes.add(value.name)
      this.#put('tagTypes', at, value)
    }
    for (const feature of found.features) this.#addFeature(feature)
  }

  contents(): string[] {
    const guessed =
      'the file mentions strategies without containing them; the import adds one strategy, enabled for everyone, to each such environment'
    return [
      counted(this.#read, 'feature'),
      ...this.#created.map((what) => `created, because the file refers to it: ${what}`),
      ...(this.#guessed > 0 ? [`${counted(this.#guessed, 'strategy', 'strategies')} created: ${guessed}`] : []),
    ]
  }

  #put<Name extends ListKind>(kind: Name, at: string, item: Lists[Name][number]): string {
    const list: Lists[Name][number][] = this.state[kind]
    const path = `$.${kind}[${list.length}]`
    list.push(item)
    if (kind === 'projects') this.#noteProject(item as Items<'projects'>[number])
    this.places.add(path, at)
    return path
  }

  #noteProject(project: Items<'projects'>[number]): void {
    this.#givenProjects.set(project.id, project)
  }

  /** Creates a referenced record, unless it is known. */
  #refer<Name extends ListKind>(kind: Name, name: string, at: string, item: Lists[Name][number]): void {
    if (this.#names[kind].has(name)) return
    this.#names[kind].add(name)
    this.#created.push(`${WORDS[kind]} "${name}"`)
    const path = this.#put(kind, at, item)
    this.places.add(`${path}.name`, at)
    this.places.add(`${path}.id`, at)
  }

  #addSegment({ at, id, name, constraints }: Found['segments'][number]): number {
    const title = name ?? `segment-${id}`
    const own = this.#segmentIds.add(id, title)
    this.#noteConstraints(constraints, at)
    if (constraints !== undefined) this.#put('segments', at, { id: own, name: title, constraints })
    else this.#refer('segments', title, at, { id: own, name: title })
    return own
  }

  #segment(id: number, at: string): number {
    const known = this.#segmentIds.get(id)
    if (known !== undefined) return known
    if (this.#absentSegment === undefined) return this.#addSegment({ at, id })
    this.#created.push(`${WORDS.segments} "segment-${id}", which matches nobody`)
    return this.#addSegment({ at, id, constraints: this.#absentSegment })
  }

  #namedSegment(name: string, at: string): number {
    return this.#segmentIds.added(name) ?? this.#addSegment({ at, id: 0, name })
  }

  #addFeature(found: FeatureInFile): void {
    const { at, given, dependencies, links } = found
    const tags = [...new Map(found.tags.map((tag) => [`${tag.type}:${tag.value}`, tag])).values()]
    const { type, createdAt, archivedAt, createdBy } = given
    const path = `$.features[${this.state.features.length}]`
    const project = given.project ?? 'default'
    this.#refer('projects', project, `${at}.project`, { id: project })
    if (type) this.#refer('featureTypes', type, `${at}.type`, { id: type, name: type })
    for (const [i, one] of dependencies.entries()) {
      this.places.add(`${path}.dependencies[${i}]`, one.at)
      this.#refer('features', one.value.feature, one.at, { name: one.value.feature, project })
    }
    for (const [i, one] of tags.entries()) {
      this.#refer('tagTypes', one.type, `${one.at}.${one.names.type}`, { name: one.type })
      for (const field of ['type', 'value'] as const) {
        this.places.add(`${path}.tags[${i}].${field}`, `${one.at}.${one.names[field]}`)
      }
    }
    for (const [i, one] of links.entries()) this.places.add(`${path}.links[${i}]`, one.at)
    const environments = this.#environments(found, path)
    this.#connect(project, found.environments)
    this.#put('features', at, {
      name: given.name,
      project,
      type,
      description: given.description,
      stale: given.stale,
      impressionData: given.impressionData,
      ...(archivedAt ? { archivedAt } : { archived: given.archived }),
      createdAt,
      createdBy,
      tags: tags.length > 0 ? tags.map(({ type: kind, value }) => ({ type: kind, value })) : undefined,
      dependencies: dependencies.length > 0 ? dependencies.map(({ value }) => value) : undefined,
      links: links.length > 0 ? links.map(({ value }) => value) : undefined,
      environments,
    })
  }

  #environments(found: FeatureInFile, path: string): NonNullable<Lists['features'][number]['environments']> {
    const { given, at } = found
    const named = (given.segments ?? []).map((name, i) => this.#namedSegment(name, `${at}.segments[${i}]`))
    return found.environments.map((environment, i) => {
      const { name, listed, enabled, variants } = environment
      const place = `${path}.environments[${i}]`
      this.places.add(place, environment.at)
      if (variants !== undefined) this.places.add(`${place}.variants`, variants.at)
      const shown = { type: listed?.type, sortOrder: listed?.sortOrder }
      this.#refer('environments', name, environment.at, { name, ...shown })
      const strategies = this.#strategies(environment, given.name, named, place)
      if (variants !== undefined) this.#noteVariants(variants.value, variants.at)
      return { name, enabled, lastSeenAt: listed?.lastSeenAt, strategies, variants: variants?.value }
    })
  }

  #strategies({ strategies, listed, name }: EnvironmentInFile, feature: string, segments: number[], place: string) {
    if (strategies !== undefined) {
      return strategies.map(({ at, value }, i) => {
        this.places.add(`${place}.strategies[${i}]`, at)
        return this.#strategy(value, at)
      })
    }
    const known = this.#knownFeatures.get(feature)?.environments
    const hasOwn = known?.some((one) => one.name === name && one.strategies.length > 0)
    if (!listed?.hasStrategies || hasOwn) return undefined
    this.#guessed++
    return [{ name: 'flexibleRollout', disabled: listed.hasEnabledStrategies === false, segments: segments.splice(0) }]
  }

  #strategy(strategy: FileStrategy, at: string) {
    const { name, id, title, disabled, sortOrder, segments, constraints, variants, parameters: given } = strategy
    const parameters = Object.entries(given ?? {}).flatMap(([key, value]) =>
      value === null ? [] : [[key, String(value)] as const],
    )
    this.#refer('strategyTypes', name, `${at}.name`, {
      name,
      parameters: parameters.map(([key]) => ({ name: key, type: 'string' as const })),
    })
    for (const [key, value] of parameters) {
      if (key === 'stickiness') this.#contextField(value, `${at}.parameters.stickiness`, true)
    }
    const ids = segments?.map((one, i) => this.#segment(one, `${at}.segments[${i}]`))
    this.#noteConstraints(constraints, at)
    this.#noteVariants(variants, `${at}.variants`)
    return {
      id,
      name,
      title,
      disabled,
      sortOrder,
      segments: ids,
      constraints,
      variants,
      parameters: given ? Object.fromEntries(parameters) : undefined,
    }
  }

  #noteConstraints(constraints: readonly FileConstraint[] | undefined, at: string): void {
    for (const [i, { contextName }] of constraints?.entries() ?? []) {
      this.#contextField(contextName, `${at}.constraints[${i}].contextName`, false)
    }
  }

  #noteVariants(variants: readonly FileVariant[] | undefined, at: string): void {
    for (const { stickiness = '', overrides = [] } of variants ?? []) {
      this.#contextField(stickiness, at, true)
      for (const { contextName } of overrides) this.#contextField(contextName, at, false)
    }
  }

  #contextField(name: string, at: string, stickiness: boolean): void {
    if (NO_FIELDS.includes(name) || !contextFieldName.schema.safeParse(name).success) return
    this.#refer('contextFields', name, at, { name, stickiness: stickiness || undefined })
  }

  /** A known project must have the environments of its features. A new project has all. */
  #connect(project: string, environments: readonly EnvironmentInFile[]): void {
    const known = this.#knownProjects.get(project)
    const missing = environments.filter(({ name }) => known?.environments.includes(name) === false)
    const given = this.#givenProjects.get(project)
    if (missing.length === 0) return
    const stored = given?.environments ?? known?.environments ?? []
    const connected = [...new Set([...stored, ...missing.map(({ name }) => name)])]
    if (given === undefined) this.#put('projects', missing[0]?.at ?? '$', { id: project, environments: connected })
    else given.environments = connected
  }
}
