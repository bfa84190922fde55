import * as z from 'zod'
import { UsageError } from '../files/usage-error.js'
import { createMock } from '../mock/mock.js'
import type { AnyTableDefinition } from '../resources/shared/table.js'
import { type TableName, tables } from '../resources/tables.js'
import type { PartialState } from '../state/partial-state.js'
import { stateSchema } from '../state/state.js'
import { checkGiven } from '../state/state-fault.js'
import { isObject } from '../support/json.js'
import type { ServiceClient } from './client.js'
import type { People } from './people.js'

export interface Pulled {
  state: PartialState
  /** The version that the service says it has. */
  version: string
  /** Who the key belongs to; undefined for a key without a user. */
  userId: number | undefined
  /** How many of each kind were taken. */
  taken: readonly (readonly [what: string, count: number])[]
  /** What the key couldn't see, or what can't be kept, in words. */
  missed: readonly string[]
}

export interface PullOptions {
  client: ServiceClient
  /** The projects to take. Default: all that the key can see. */
  projects: readonly string[]
  people: People
  onProgress(done: number, total: number, what: string): void
}

type Fields = Readonly<Record<string, unknown>>

/** Roles that every service has; their permissions are known. */
const BUILT_IN_ROLES = 6
const OWNER = 4

/** Requests at the same time: one after another would take too long, more would look like an attack. */
const AT_ONCE = 4

/** Features on a page of a search. */
const PAGE = 100

/** Reads everything that the key can see, and nothing that is secret. Throws a `UsageError` if that is not possible. */
export async function pull(options: PullOptions): Promise<Pulled> {
  return await new Puller(options).run()
}

class Puller {
  readonly #options: PullOptions
  readonly #lists: Partial<Record<TableName, unknown[]>> = {}
  readonly #missed: string[] = []
  #done = 0
  #total = 12
  #userId: number | undefined

  constructor(options: PullOptions) {
    this.#options = options
  }

  async run(): Promise<Pulled> {
    const version = await this.#version()
    await this.#people()
    await this.#shared()
    const projects = await this.#projects()
    for (const project of projects) await this.#features(project)
    this.#settle(projects)
    const state = this.#checked()
    return {
      state,
      version,
      userId: this.#userId,
      taken: Object.entries(this.#lists).map(([kind, list]) => [kind, list.length] as const),
      missed: this.#missed,
    }
  }

  /** The version of the service. Fails if there is none, or if it doesn't know the key. */
  async #version(): Promise<string> {
    const { client } = this.#options
    const { status, body } = await client.get('/api/admin/ui-config')
    if (status === 401) throw new UsageError('The service does not know the key.', KEY_HINT)
    if (status === 403) throw new UsageError('The key may not read the admin API.', KEY_HINT)
    if (status !== 200 || !isObject(body) || typeof body.version !== 'string') {
      throw new UsageError(
        `${client.url} does not answer as the service does: GET /api/admin/ui-config got ${status}.`,
        'Pass the root of the service, with its base path if it has one: https://flags.example.com',
      )
    }
    return body.version
  }

  /** First of all, so that people are known when they occur elsewhere. */
  async #people(): Promise<void> {
    const me = await this.#read('/api/admin/user')
    if (isObject(me) && isObject(me.user) && typeof me.user.id === 'number' && me.user.id > 0) this.#userId = me.user.id
    const found = await this.#read('/api/admin/user-admin', 'roles of users')
    // Who is not an admin sees who there is, but only their own role.
    const everybody = found ?? (await this.#read('/api/admin/user-admin/access', 'users'))
    const profile = found === undefined ? await this.#read('/api/admin/user/profile') : undefined
    const role = isObject(profile) && isObject(profile.rootRole) ? profile.rootRole.id : undefined
    const withRole = (user: unknown) =>
      isObject(user) && user.id === this.#userId ? { rootRole: role, ...user } : user
    if (everybody !== undefined) this.#add('users', listIn(everybody, 'users').map(withRole))
    const own = (role: unknown) => isObject(role) && Number(role.id) > BUILT_IN_ROLES
    if (found !== undefined) this.#add('roles', listIn(found, 'rootRoles').filter(own))
  }

  /** What all projects share. */
  async #shared(): Promise<void> {
    await this.#take('environments', '/api/admin/environments', 'environments', 'environments')
    await this.#take('featureTypes', '/api/admin/feature-types', 'feature types', 'types')
    await this.#take('strategyTypes', '/api/admin/strategies', 'strategy types', 'strategies')
    await this.#take('contextFields', '/api/admin/context', 'context fields', '')
    await this.#take('segments', '/api/admin/segments', 'segments', 'segments')
    await this.#take('tagTypes', '/api/admin/tag-types', 'tag types', 'tagTypes')
    await this.#take('tags', '/api/admin/tags', 'tags', 'tags')
    const invitations = listIn(await this.#read('/api/admin/invite-link/tokens', 'invitations'), 'tokens')
    const named = invitations.map((one, i) => (isObject(one) ? { ...one, secret: `pulled-invitation-${i + 1}` } : one))
    this.#add('signupTokens', named)
  }

  /** Takes a list as it is answered, an empty one, too. One that the key can't see is left out of the state. */
  async #take(kind: TableName, path: string, what: string, name: string): Promise<void> {
    const answer = await this.#read(path, what)
    if (answer !== undefined) this.#add(kind, listIn(answer, name))
  }

  /** The ids of the projects, whose settings are taken. */
  async #projects(): Promise<string[]> {
    const { projects: wanted } = this.#options
    const listed = listIn(await this.#read('/api/admin/projects', 'projects'), 'projects').filter(isObject)
    const ids = wanted.length > 0 ? [...new Set(wanted)] : listed.map(({ id }) => String(id))
    this.#total += ids.length * 3
    const taken: string[] = []
    for (const id of ids) {
      const path = encodeURIComponent(id)
      const overview = await this.#read(`/api/admin/projects/${path}/overview`, `project "${id}"`)
      if (!isObject(overview)) continue
      taken.push(id)
      const inList = listed.find((one) => one.id === id)
      const environments = listIn(overview.environments, '').map((one) =>
        isObject(one) ? { name: String(one.environment), strategy: one.defaultStrategy } : { name: String(one) },
      )
      const defaults = environments.filter(({ strategy }) => isObject(strategy))
      this.#add('projects', [
        {
          ...inList,
          ...overview,
          id,
          environments: environments.map(({ name }) => name),
          members: this.#owners(inList?.owners),
          ...(defaults.length > 0
            ? { defaultStrategies: Object.fromEntries(defaults.map(({ name, strategy }) => [name, strategy])) }
            : {}),
        },
      ])
      this.#mark('project', id, overview.favorite)
    }
    const [first] = wanted.filter((id) => !taken.includes(id))
    if (first !== undefined) {
      throw new UsageError(`The key can't see a project "${first}".`, 'Check its id: it is in the address of its page.')
    }
    return taken
  }

  /** The owners that the list of projects names. It doesn't tell about other members. */
  #owners(owners: unknown): object[] {
    const users = (this.#lists.users ?? []).filter(isObject)
    return listIn(owners, '').flatMap((owner) => {
      if (!isObject(owner) || owner.ownerType !== 'user') return []
      const same = (field: 'email' | 'name' | 'username') =>
        users.find((user) => owner[field] && user[field] === owner[field])
      const user = same('email') ?? same('name') ?? users.find(({ username }) => username === owner.name)
      return user === undefined ? [] : [{ id: user.id, role: OWNER }]
    })
  }

  async #features(project: string): Promise<void> {
    const path = `/api/admin/projects/${encodeURIComponent(project)}/features`
    const listed = listIn(await this.#read(path, `features of the project "${project}"`), 'features').filter(isObject)
    this.#total += listed.length
    await eachOf(listed, AT_ONCE, async (inList) => {
      const name = String(inList.name)
      const detail = await this.#read(
        `${path}/${encodeURIComponent(name)}?variantEnvironments=true`,
        `strategies and variants of the feature "${name}"`,
      )
      const tags = listIn(inList.tags, '')
      const known = isObject(detail) ? detail : {}
      this.#add('features', [{ tags, ...inList, ...known, project, environments: environmentsOf(known, inList) }])
      this.#mark('feature', name, known.favorite ?? inList.favorite)
      for (const environment of environmentsOf(known, inList)) this.#meetEnvironment(environment)
    })
    for (const archived of await this.#archived(project)) {
      this.#add('features', [{ ...archived, project, archived: true, lifecycle: undefined }])
    }
    // Answers come in any order. A file that is made again should only differ in what has changed.
    this.#lists.features?.sort((one, other) => nameOf(one).localeCompare(nameOf(other)))
  }

  /** The archived features of a project: by the search or, in older services, by a list of their own. */
  async #archived(project: string): Promise<Fields[]> {
    const what = `archived features of the project "${project}"`
    const older = `/api/admin/archive/features/${encodeURIComponent(project)}`
    const found: Fields[] = []
    for (let total = 1; found.length < total; ) {
      const query = `archived=IS:true&project=${encodeURIComponent(`IS:${project}`)}&limit=${PAGE}&offset=${found.length}`
      const page = await this.#read(`/api/admin/search/features?${query}`, what, older)
      const features = listIn(page, 'features').filter(isObject)
      if (features.length === 0) break
      // A service that doesn't know the filter answers with features that are not archived.
      if (!features.every(({ archivedAt }) => typeof archivedAt === 'string')) {
        return listIn(await this.#read(older, what), 'features').filter(isObject)
      }
      found.push(...features)
      total = isObject(page) ? Number(page.total) : 0
    }
    return found
  }

  /** Keeps an environment that is in use but not in the list: the open-source service lists only its own ones. */
  #meetEnvironment(found: Fields): void {
    const isKnown = this.#lists.environments?.some((one) => nameOf(one) === found.name)
    if (!isKnown) this.#add('environments', [{ ...found, enabled: true }])
  }

  #mark(kind: 'feature' | 'project', name: string, isFavorite: unknown): void {
    if (isFavorite !== true || this.#userId === undefined) return
    this.#add('favorites', [{ userId: this.#userId, kind, name }])
  }

  /**
   * The JSON of an answer, with other people. Undefined if the key can't see it, which is noted if it has a name. `older` is
   * where an older service has the same, which lacks this path.
   */
  async #read(path: string, what?: string, older?: string): Promise<unknown> {
    const { client, people, onProgress } = this.#options
    const { status, body } = await client.get(path)
    this.#done++
    onProgress(Math.min(this.#done, this.#total), this.#total, what ?? 'the service')
    if (status === 200) return people.replaceIn(body)
    if (status === 404 && older !== undefined) return await this.#read(older, what)
    if (what === undefined) return undefined
    const isRefused = status === 401 || status === 403
    this.#missed.push(
      isRefused ? `${what}: the key may not read them (${status})` : `${what}: the service answered ${status}`,
    )
    return undefined
  }

  /** Keeps of records what a state can hold. */
  #add(kind: TableName, records: readonly unknown[]): void {
    const { record, fixture }: AnyTableDefinition = tables[kind]
    const kept = this.#lists[kind] ?? []
    this.#lists[kind] = kept
    for (const one of records) {
      const fitting = prune(record, one)
      const checked = checkGiven(fixture, fitting)
      if (checked.ok) kept.push(fitting)
      else this.#missed.push(`${kind} ${nameOf(one)}: ${checked.faults[0]?.path} ${checked.faults[0]?.message}`)
    }
  }

  /** What is left of a whole must hold together: without what belongs to other projects, or to users who are not known. */
  #settle(projects: readonly string[]): void {
    const inProjects = (one: unknown) => !isObject(one) || one.project == null || projects.includes(String(one.project))
    for (const kind of ['segments', 'contextFields'] as const) {
      const list = this.#lists[kind]
      if (list !== undefined) this.#lists[kind] = list.filter(inProjects)
    }
    for (const project of this.#lists.projects ?? []) {
      const names = isObject(project) ? listIn(project.environments, '') : []
      for (const name of names) this.#meetEnvironment({ name })
    }
    const users = new Set((this.#lists.users ?? []).map((one) => (isObject(one) ? one.id : undefined)))
    for (const token of this.#lists.signupTokens ?? []) {
      if (isObject(token) && Array.isArray(token.users)) {
        token.users = token.users.filter((one) => isObject(one) && users.has(one.id))
      }
    }
    const features = new Set((this.#lists.features ?? []).map(nameOf))
    for (const feature of this.#lists.features ?? []) {
      if (!isObject(feature) || !Array.isArray(feature.dependencies)) continue
      feature.dependencies = feature.dependencies.filter((one) => isObject(one) && features.has(String(one.feature)))
    }
  }

  /** The state, tried out: what is written must be usable. */
  #checked(): PartialState {
    const checked = checkGiven(stateSchema, this.#lists)
    if (!checked.ok) throw new Error(checked.faults.map(({ path, message }) => `${path} ${message}`).join('; '))
    const state: PartialState = { version: 1, ...checked.data }
    createMock({ scenario: 'empty', fixtures: state })
    return state
  }
}

const KEY_HINT =
  'Set FLAGDOUBLE_KEY to a personal access token or an admin API token of the service. Tokens of SDKs read no settings.'

function nameOf(one: unknown): string {
  return isObject(one) ? String(one.name ?? one.id ?? '') : ''
}

/** A list in an answer, under a name or as the whole answer. */
function listIn(value: unknown, name: string): readonly unknown[] {
  const list = name === '' || !isObject(value) ? value : value[name]
  return Array.isArray(list) ? list : []
}

/** The environments of a feature. One that is in none is shown with a single entry without a name. */
function environmentsOf(detail: Fields, inList: Fields): readonly Fields[] {
  const list = Array.isArray(detail.environments) ? detail.environments : listIn(inList.environments, '')
  return list.filter(isObject).filter(({ name }) => typeof name === 'string')
}

/** Runs a task for each item, a few at a time. */
async function eachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await task(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/**
 * What of a value has the shape of a schema: properties that it doesn't know, and values of another kind, are left out.
 * So a record can be read from the responses of services that are older or newer. Undefined if nothing fits.
 */
function prune(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined) return undefined
  if (schema instanceof z.ZodOptional) return value === null ? undefined : prune(schema.def.innerType, value)
  if (schema instanceof z.ZodNullable) return value === null ? null : prune(schema.def.innerType, value)
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return undefined
    return value.map((item) => prune(schema.def.element, item)).filter((item) => item !== undefined)
  }
  if (schema instanceof z.ZodObject) {
    if (!isObject(value)) return undefined
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, prune(field, value[name])])
    return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined))
  }
  return z.safeParse(schema, value).success ? value : undefined
}
