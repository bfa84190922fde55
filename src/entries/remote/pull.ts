import type { PartialState } from '../../engine/state/partial-state.js'
import type { TableName } from '../../service/resources/tables.js'
import { isObject } from '../../support/json.js'
import { grouped } from '../../support/lists.js'
import { percentEncoded, printable } from '../../support/text.js'
import { UsageError } from '../files/usage-error.js'
import { BrokenAnswer, type RemoteReply, type ServiceClient } from './client.js'
import type { People } from './people.js'
import { type Fields, nameOf, PulledRecords } from './records.js'

export interface Pulled {
  state: PartialState
  /** The version that the service says it has. */
  version: string
  /** Who the key belongs to; undefined for a key without a user. */
  userId: number | undefined
  /** How many of each kind were taken. */
  taken: readonly (readonly [what: string, count: number])[]
  /** How many features the search of the service lists; undefined if it has none. */
  listed: number | undefined
  /** What the key couldn't see, or what can't be kept, in words. */
  missed: string[]
}

export interface PullOptions {
  client: ServiceClient
  /** The projects to take. Default: all that the key can see. */
  projects: readonly string[]
  people: People
  onProgress(done: number, total: number, what: string): void
}

/** Roles that every service has; their permissions are known. */
const BUILT_IN_ROLES = 6
const OWNER = 4

/** Requests at the same time: one after another would take too long, more would look like an attack. */
const AT_ONCE = 4

/** Features on a page of a search, and pages that are read. */
const PAGE = 100
const MOST_PAGES = 200

/** Lists that all projects share: where each stands, what it is called, and its name in the answer. */
const LISTS = [
  ['environments', '/api/admin/environments', 'environments', 'environments'],
  ['featureTypes', '/api/admin/feature-types', 'feature types', 'types'],
  ['strategyTypes', '/api/admin/strategies', 'strategy types', 'strategies'],
  ['contextFields', '/api/admin/context', 'context fields', ''],
  ['segments', '/api/admin/segments', 'segments', 'segments'],
  ['tagTypes', '/api/admin/tag-types', 'tag types', 'tagTypes'],
  ['tags', '/api/admin/tags', 'tags', 'tags'],
] as const satisfies (readonly [TableName, string, string, string])[]

/**
 * Reads everything that the key can see, and nothing that is secret. What can't be had is left out, and said. Throws a
 * `UsageError` if there is no service that knows the key, or if an answer can't be read.
 */
export async function pull(options: PullOptions): Promise<Pulled> {
  return await new Puller(options).run()
}

class Puller {
  readonly #options: PullOptions
  readonly #records = new PulledRecords()
  #done = 0
  #total = 12
  #userId: number | undefined
  /** How many features the search has listed. */
  #listed: number | undefined

  constructor(options: PullOptions) {
    this.#options = options
  }

  async run(): Promise<Pulled> {
    const version = await this.#version()
    await this.#people()
    for (const [kind, path, what, name] of LISTS) {
      const list = await this.#list(path, what, name)
      if (list !== undefined)
        this.#records.add(
          kind,
          list.filter(({ project }) => this.#isWanted(project)),
        )
    }
    await this.#invitations()
    const active = await this.#search(false)
    const archived = await this.#search(true)
    const named = [...(active ?? []), ...(archived ?? [])].flatMap(({ project }) =>
      typeof project === 'string' ? [project] : [],
    )
    const projects = await this.#projects(named)
    const byProject = grouped(active ?? [], ({ project }) => String(project))
    for (const project of projects) await this.#features(project, byProject.get(project) ?? [])
    this.#addArchived(archived ?? (await this.#archiveLists(projects)))
    this.#records.sort('features')
    const state = this.#records.state()
    return {
      state,
      version,
      userId: this.#userId,
      taken: this.#records.counts(),
      listed: this.#listed,
      missed: this.#records.missed,
    }
  }

  /** What belongs to a project that isn't asked for is left out without a word. */
  #isWanted(project: unknown): boolean {
    const { projects } = this.#options
    return projects.length === 0 || typeof project !== 'string' || projects.includes(project)
  }

  /** The version of the service. Fails if there is none, or if it doesn't know the key. */
  async #version(): Promise<string> {
    const { client } = this.#options
    const { status, body } = (await client.get('/api/admin/ui-config').catch(otherwise)) ?? {}
    if (status === 401) throw new UsageError('The service does not know the key.', KEY_HINT)
    if (status === 403) throw new UsageError('The key may not read the admin API.', KEY_HINT)
    if (status !== 200 || !isObject(body) || typeof body.version !== 'string') {
      throw new UsageError(
        `${client.url} does not answer as the service does: GET /api/admin/ui-config got ${status ?? 'nothing that can be read'}.`,
        'Pass the root of the service, with its base path if it has one: https://flags.example.com',
      )
    }
    return printable(body.version)
  }

  /** First of all, so that people are known when they occur elsewhere. */
  async #people(): Promise<void> {
    const me = await this.#read('/api/admin/user')
    const user = isObject(me) && isObject(me.user) ? me.user : {}
    if (typeof user.id === 'number' && user.id > 0) this.#userId = user.id
    const found = await this.#read('/api/admin/user-admin', 'roles of users')
    // Who is not an admin sees who there is, but only their own role.
    const everybody =
      found === undefined
        ? await this.#list('/api/admin/user-admin/access', 'users', 'users')
        : this.#objectsIn(found, 'users', 'users')
    const profile = found === undefined ? await this.#read('/api/admin/user/profile') : undefined
    const role = isObject(profile) && isObject(profile.rootRole) ? profile.rootRole.id : undefined
    const withRole = (one: Fields) => (one.id === this.#userId && role !== undefined ? { rootRole: role, ...one } : one)
    this.#records.add('users', (everybody ?? (this.#userId === undefined ? [] : [user])).map(withRole))
    const roles = found === undefined ? [] : (this.#objectsIn(found, 'rootRoles', 'roles') ?? [])
    this.#records.add(
      'roles',
      roles.filter(({ id }) => Number(id) > BUILT_IN_ROLES),
    )
  }

  async #invitations(): Promise<void> {
    const invitations = (await this.#list('/api/admin/invite-link/tokens', 'invitations', 'tokens')) ?? []
    this.#records.add(
      'signupTokens',
      invitations.map((one, i) => ({ ...one, secret: `pulled-invitation-${i + 1}` })),
    )
  }

  /**
   * The features that the search of the service lists: the archived ones, or the others. Undefined if it has no search,
   * or one that doesn't tell them apart.
   */
  async #search(archived: boolean): Promise<Fields[] | undefined> {
    const { projects } = this.#options
    const what = archived ? 'archived features' : 'features that the search lists'
    const ofProjects = projects.length === 0 ? '' : `&project=${percentEncoded(`IS_ANY_OF:${projects.join(',')}`)}`
    const query = `limit=${PAGE}${ofProjects}${archived ? '&archived=IS:true' : ''}`
    const found = new Map<string, Fields>()
    for (let offset = 0, page = 0; ; page++) {
      const reply = await this.#get(`/api/admin/search/features?${query}&offset=${offset}`, what, 404)
      if (page === 0 && reply?.status === 404) return undefined
      if (reply?.status !== 200) return [...found.values()]
      const answer = reply.body
      const features = this.#objectsIn(answer, 'features', what) ?? []
      if (archived && !features.every(({ archivedAt }) => typeof archivedAt === 'string')) return undefined
      const known = found.size
      for (const feature of features) if (!found.has(nameOf(feature))) found.set(nameOf(feature), feature)
      offset += features.length
      const total = isObject(answer) ? Number(answer.total) : 0
      // A page that brings nothing new would be followed by others like it, for ever.
      if (!(offset < total) || found.size === known || page === MOST_PAGES - 1) {
        this.#listed = (this.#listed ?? 0) + found.size
        if (found.size < total) this.#records.miss(what, `there are ${total}, and the search told ${found.size}`)
        return [...found.values()].filter(({ project }) => this.#isWanted(project))
      }
    }
  }

  /** The ids of the projects, whose settings are taken: those that are listed, and those that only features name. */
  async #projects(named: readonly string[]): Promise<string[]> {
    const { projects: wanted } = this.#options
    const answer = (await this.#list('/api/admin/projects', 'projects', 'projects')) ?? []
    const listed = new Map(answer.flatMap((one) => (typeof one.id === 'string' ? [[one.id, one] as const] : [])))
    const ids = new Set(wanted.length > 0 ? wanted : [...listed.keys(), ...named])
    this.#total += ids.size * 3
    const owners = this.#ownersByLogin()
    for (const id of ids) {
      const reply = await this.#get(
        `/api/admin/projects/${percentEncoded(id)}/overview`,
        `settings of the project "${id}"`,
      )
      const isHidden = reply?.status === 403 || reply?.status === 404
      if (isHidden && wanted.includes(id) && !named.includes(id)) {
        throw new UsageError(
          `The key can't see a project "${printable(id)}".`,
          'Check its id: it is in the address of its page.',
        )
      }
      this.#addProject(id, listed.get(id), isObject(reply?.body) ? reply.body : {}, owners)
    }
    return [...ids].filter((id) => this.#records.has('projects', id))
  }

  #addProject(id: string, inList: Fields = {}, overview: Fields, owners: ReadonlyMap<string, unknown>): void {
    const environments = listIn(overview.environments).flatMap((one) => {
      const name = isObject(one) ? one.environment : one
      return typeof name === 'string' ? [{ name, strategy: isObject(one) ? one.defaultStrategy : undefined }] : []
    })
    const defaults = environments.filter(({ strategy }) => isObject(strategy))
    this.#meetEnvironments(environments)
    this.#records.add('projects', [
      {
        ...inList,
        ...overview,
        id,
        environments: overview.environments === undefined ? undefined : environments.map(({ name }) => name),
        // The list doesn't tell about other members.
        members: listIn(inList.owners).flatMap((owner) => {
          const user = isObject(owner) && owner.ownerType === 'user' ? ownerIn(owners, owner) : undefined
          return user === undefined ? [] : [{ id: user, role: OWNER }]
        }),
        defaultStrategies:
          defaults.length > 0 ? Object.fromEntries(defaults.map(({ name, strategy }) => [name, strategy])) : undefined,
      },
    ])
    this.#mark('project', id, overview.favorite)
  }

  /** The ids of users by what a list of owners may call them. */
  #ownersByLogin(): ReadonlyMap<string, unknown> {
    const users = this.#records.list('users')
    const entries = ['username', 'name', 'email'].flatMap((field) =>
      users.toReversed().map((user) => [`${field} ${user[field]}`, user.id] as const),
    )
    return new Map(entries)
  }

  /** The features of a project: those in its list, and those that only the search has. */
  async #features(project: string, searched: readonly Fields[]): Promise<void> {
    const path = `/api/admin/projects/${percentEncoded(project)}/features`
    const listed = (await this.#list(path, `features of the project "${project}"`, 'features')) ?? []
    const byName = new Map<string, Fields>()
    for (const one of [...searched, ...listed]) byName.set(nameOf(one), { ...byName.get(nameOf(one)), ...one })
    this.#total += byName.size
    await eachOf([...byName], AT_ONCE, async ([name, inList]) => {
      const answer = await this.#read(
        `${path}/${percentEncoded(name)}?variantEnvironments=true`,
        `strategies and variants of the feature "${name}"`,
      )
      const detail = isObject(answer) ? answer : {}
      const environments = environmentsOf(detail, inList)
      this.#meetEnvironments(environments)
      this.#records.add('features', [{ tags: [], ...inList, ...detail, project, environments }])
      this.#mark('feature', name, detail.favorite ?? inList.favorite)
    })
  }

  #addArchived(features: readonly Fields[]): void {
    this.#records.add(
      'features',
      features.map((one) => ({ ...one, archived: true, lifecycle: undefined })),
    )
  }

  /** The archived features of an older service, which has a list of them for each project. */
  async #archiveLists(projects: readonly string[]): Promise<Fields[]> {
    const found: Fields[] = []
    for (const project of projects) {
      const path = `/api/admin/archive/features/${percentEncoded(project)}`
      const list = (await this.#list(path, `archived features of the project "${project}"`, 'features')) ?? []
      found.push(...list.map((one) => ({ ...one, project })))
    }
    return found
  }

  /** Keeps environments that are in use but not in the list: the open-source service lists only its own ones. */
  #meetEnvironments(found: readonly Fields[]): void {
    const unknown = found.filter(({ name }) => !this.#records.has('environments', String(name)))
    if (unknown.length > 0)
      this.#records.add(
        'environments',
        unknown.map((one) => ({ ...one, enabled: true })),
      )
  }

  #mark(kind: 'feature' | 'project', name: string, isFavorite: unknown): void {
    if (isFavorite === true && this.#userId !== undefined) {
      this.#records.add('favorites', [{ userId: this.#userId, kind, name }])
    }
  }

  /** The JSON of an answer, with other people. Undefined if the key can't see it, which is noted if it has a name. */
  async #read(path: string, what?: string): Promise<unknown> {
    const reply = await this.#get(path, what)
    return reply?.status === 200 ? reply.body : undefined
  }

  /** The answer to a request, with other people. One that isn't 200 is noted if it has a name, and isn't expected. */
  async #get(path: string, what?: string, expected?: number): Promise<RemoteReply | undefined> {
    const { client, people, onProgress } = this.#options
    const reply = await client.get(path)
    this.#done++
    onProgress(Math.min(this.#done, this.#total), this.#total, what ?? 'the service')
    if (reply?.status === 200) return { ...reply, body: people.replaceIn(reply.body) }
    if (what !== undefined && (reply === undefined || reply.status !== expected)) {
      const isRefused = reply?.status === 401 || reply?.status === 403
      if (reply === undefined) this.#records.miss(what, `not read any more, after ${client.exhausted}`)
      else if (isRefused) this.#records.miss(what, `the key may not read them (${reply.status})`)
      else this.#records.miss(what, `the service answered ${reply.status}`)
    }
    return reply
  }

  /** A list as it is answered, an empty one, too. Undefined if there is none, which is noted. */
  async #list(path: string, what: string, name: string): Promise<Fields[] | undefined> {
    const answer = await this.#read(path, what)
    return answer === undefined ? undefined : this.#objectsIn(answer, name, what)
  }

  /** The objects of a list in an answer: under a name, or as the whole answer. */
  #objectsIn(answer: unknown, name: string, what: string): Fields[] | undefined {
    const list = name === '' || !isObject(answer) ? answer : answer[name]
    if (!Array.isArray(list)) {
      this.#records.miss(what, 'the service answered no list')
      return undefined
    }
    const objects = list.filter(isObject)
    if (objects.length < list.length) this.#records.miss(what, `${list.length - objects.length} of them are no objects`)
    return objects
  }
}

/** What answers something that can't be read is no service. */
function otherwise(error: unknown): undefined {
  if (!(error instanceof BrokenAnswer)) throw error
}

const KEY_HINT =
  'Set FLAGDOUBLE_KEY to a personal access token or an admin API token of the service. Tokens of SDKs read no settings.'

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The user whom a list of owners names, by what tells most. */
function ownerIn(owners: ReadonlyMap<string, unknown>, { email, name }: Fields): unknown {
  const marks = [...(email ? [`email ${email}`] : []), `name ${name}`, `username ${name}`]
  return marks.map((mark) => owners.get(mark)).find((id) => id !== undefined)
}

/** The environments of a feature. One that is in none is shown with a single entry without a name. */
function environmentsOf(detail: Fields, inList: Fields): readonly Fields[] {
  const list = Array.isArray(detail.environments) ? detail.environments : listIn(inList.environments)
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
