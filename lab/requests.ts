import fc from 'fast-check'
import { type OperationRow, operations } from '../src/service/api/operations.js'
import { isObject } from '../src/support/json.js'
import { isKnownFault } from '../test/fidelity/differences.js'
import type { FidelityRequest, FidelityResponse } from '../test/fidelity/exchange.js'
import { acceptedBody, examplePath, known, OTHERS } from '../test/support/any-request.js'
import { exampleName, NOW } from '../test/support/example-requests.js'
import { filled, namesIn, RequestValues } from '../test/support/request-values.js'

/** Operations that reach out of this machine, or that stop all others. */
const LEFT_OUT = new Set(['createAddon', 'updateAddon', 'toggleMaintenance', 'logout', 'login', 'changePassword'])

/** About how many requests of a seed look at no change. */
const CHOSEN = 90

const FEATURES = ['checkout-redesign', 'legacy-export', 'archived-banner', 'dark-mode']
/** The names of new records: a number before them makes most of them free. */
const NEW = new Set(['checkout-copy', 'dark-mode', 'night', 'team', 'beta', 'plan', 'byPlan', 'ada@example.com', 'new'])
/** Operations whose examples a campaign starts with. */
const STARTED =
  /^(addFeatureStrategy|toggleFeatureEnvironmentOn|addFeatureDependency|createTagType|createPublicSignupToken|createFeatureLink|createStrategy|updateContextFieldLegalValue|registerClientApplication|registerClientMetrics)$/
/** Reads that show most changes. */
const SHOWING = /^(getEvents|searchEvents|getEventsForToggle|getFeature|searchFeatures|getAllClientFeatures)$/

/** A strategy or a link that exists, with the names in its path. */
interface Focus {
  featureName: string
  environment: string
  id: string
}

/** The requests of a campaign: they know the records that exist, and the callers. */
export class Requests {
  #strategies: Focus[] = []
  #links: Focus[] = []
  #features: string[] = [...FEATURES]
  #tokens = new Map<string, string>()
  #rows: readonly OperationRow[]
  #row: OperationRow | undefined
  /** The last change, and the number of reads that have to look at it. */
  #change: { row: OperationRow; actor: string; names: Readonly<Record<string, string>> } | undefined
  #reads = 0
  #chosen = 0

  /** `only` is a part of the ID of an operation or its tag. */
  constructor(
    readonly seed: number,
    only = '',
  ) {
    const isMeant = ({ id, tag }: OperationRow) => `${id} ${tag}`.toLowerCase().includes(only.toLowerCase())
    this.#rows = operations.filter((row) => !LEFT_OUT.has(row.id) && isMeant(row))
    if (this.#rows.length === 0) throw new Error(`No operation has "${only}" in its ID or tag.`)
  }

  /** The requests that a campaign starts with, so that others find records. */
  start(): FidelityRequest[] {
    const { accepted } = this.#names(0)
    const features = '/api/admin/projects/default/features'
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['17'] }]
    const variant = { weight: 500, weightType: 'variable', stickiness: 'default' }
    const variants = ['red', 'blue'].map((name) => ({ name, ...variant }))
    const strategy = { name: 'flexibleRollout', constraints, variants }
    const given = { description: 'A flag', impressionData: true }
    const to = (method: string, path: string, body?: unknown): FidelityRequest => {
      const actor = path.startsWith('/api/client') ? 'backendAll' : 'pat:admin'
      return { method, path, actor, ...(body === undefined ? {} : { body }) }
    }
    const examples = operations.filter(({ id }) => STARTED.test(id))
    return [
      ...FEATURES.map((name) => to('POST', features, { ...given, name, type: name < 'd' ? 'experiment' : 'release' })),
      to('POST', `${features}/checkout-redesign/environments/production/strategies`, strategy),
      to('POST', '/api/admin/features/checkout-redesign/tags', { type: 'simple', value: 'checkout' }),
      to('POST', '/api/admin/context', { name: 'region', legalValues: [{ value: 'eu' }], stickiness: true }),
      to('POST', '/api/admin/segments', { name: 'staff', description: 'Employees', constraints }),
      to('POST', `${features}/dark-mode/favorites`, {}),
      ...examples.map((row) => to(row.method, examplePath(row), accepted(row) ?? {})),
      to('GET', `${features}/checkout-redesign`),
    ]
  }

  /**
   * The step-th request of the campaign; the same one for the same seed and the same earlier responses. Two reads look at each
   * change.
   */
  next(step: number): FidelityRequest {
    const seed = this.seed * 100_003 + step
    const change = this.#reads > 0 ? this.#change : undefined
    this.#reads -= 1
    const row = change === undefined ? this.#nextRow() : sampled(fc.constantFrom(...readsOf(change.row)), seed)
    this.#row = row
    const names = this.#names(seed, change?.names)
    const values = new RequestValues(names)
    const parts = { path: values.path(row), body: values.body(row), query: values.query(row) }
    const made = sampled(fc.record({ ...parts, actor: actorOf(row, change?.actor) }), seed)
    const isKnown = isKnownFault(row.id, `${made.path} ${made.body}`)
    if (change !== undefined || (isKnown && seed % 25 > 0)) {
      made.path = filled(row.path, (name) => encodeURIComponent(names.likely(row, name)[0]))
      made.body = JSON.stringify(names.accepted(row))
    }
    // Favourites need a JSON body, and other operations without a body take one.
    if (row.method !== 'GET' && seed % 4 > 0) made.body ??= '{}'
    const { path, body, query, actor } = made
    return { method: row.method, path: path + query, actor, ...(body === undefined ? {} : { body: JSON.parse(body) }) }
  }

  /** Operations come in a random order, and none comes again before all others. */
  #nextRow(): OperationRow {
    const { length } = this.#rows
    const place = this.seed * CHOSEN + this.#chosen
    this.#chosen += 1
    const shuffled = fc.shuffledSubarray([...this.#rows], { minLength: length, maxLength: length })
    return sampled(
      shuffled.map((rows) => rows[place % length]),
      Math.floor(place / length),
    )
  }

  #names(seed: number, changed: Readonly<Record<string, string>> = {}) {
    const pick = <Item>(items: readonly Item[]) => (items.length === 0 ? undefined : items[seed % items.length])
    const likely = (row: OperationRow, param: string): readonly [string, ...string[]] => {
      const focus = pick(row.path.includes(':linkId') ? this.#links : this.#strategies)
      const isFocused = focus !== undefined && /:(linkId|strategyId)/u.test(row.path)
      const token = this.#tokens.get(/invite/u.test(row.path) ? 'invite' : 'api')
      const own = changed[param] ?? (/^(featureName|contextField)$/u.test(param) ? changed.name : undefined)
      if (isFocused && (param === 'linkId' || param === 'strategyId')) return [focus.id]
      if (isFocused && param === 'featureName') return [focus.featureName]
      if (isFocused && param === 'environment') return [focus.environment, 'production']
      if (own !== undefined) return [own]
      if (param === 'token' && token !== undefined) return [token]
      if (param === 'featureName') return [pick(this.#features) ?? 'checkout-redesign', ...FEATURES]
      // The first user, and the first three personal access tokens, are those of the callers.
      if (row.path.includes('/user-admin/:id')) return ['2', '3']
      if (row.path.endsWith('/user/tokens/:id')) return ['4', '5']
      const example = exampleName(row.path, param)
      return [example, OTHERS[param] ?? example]
    }
    const accepted = (of: OperationRow) => {
      const body = acceptedBody(of)
      if (body === undefined) return undefined
      const id = pick(this.#strategies)?.id ?? 'half'
      return JSON.parse(JSON.stringify(body), (_, value: unknown) => {
        if (typeof value !== 'string') return value
        if (value === 'half') return id
        if (NEW.has(value)) return seed % 4 === 0 ? value : `${seed % 9}-${value}`
        return value.replace(NOW, () => new Date().toISOString())
      })
    }
    return { known, likely, accepted }
  }

  /** Learns which records exist from a response of Unleash. */
  learn({ path, method, body: sent, actor }: FidelityRequest, { status, body }: FidelityResponse): void {
    if (status >= 300) return
    if (method !== 'GET' && this.#row !== undefined) {
      const named = method === 'POST' && isObject(sent) && typeof sent.name === 'string' ? { name: sent.name } : {}
      const { featureName: source, ...own } = namesIn(this.#row.path, path)
      const featureName = path.endsWith('/clone') ? named.name : source
      this.#change = { row: this.#row, actor, names: { ...own, ...named, ...(featureName && { featureName }) } }
      this.#reads = 2
    }
    if (!isObject(body)) return
    if (/\/(features|clone)$/u.test(path) && method === 'POST') this.#features.push(String(body.name))
    const [, featureName, environment] =
      /\/features\/([^/?]+)(?:\/environments\/([^/?]+)\/strategies)?/u.exec(path) ?? []
    if (featureName !== undefined && environment !== undefined && typeof body.id === 'string') {
      this.#strategies.push({ featureName, environment, id: body.id })
    }
    if (featureName !== undefined && Array.isArray(body.links)) {
      this.#links = body.links.flatMap((link: unknown) =>
        isObject(link) && typeof link.id === 'string' ? [{ featureName, environment: '', id: link.id }] : [],
      )
    }
    if (typeof body.secret === 'string') this.#tokens.set(path.includes('invite-link') ? 'invite' : 'api', body.secret)
  }
}

/** Most callers are allowed to send the request; others are of every other kind. A change is looked at by who made it. */
function actorOf({ access, path }: OperationRow, changer?: string): fc.Arbitrary<string> {
  const others = fc.constantFrom(
    'none',
    'pat:viewer',
    'pat:viewer',
    'pat:editor',
    'cookie:editor',
    'backendAll',
    'frontend',
  )
  const ofUser = /\/(user|favorites|splash|feedback|personal-dashboard)\b/u.test(path)
  const admins = ofUser ? fc.constant('pat:admin') : fc.constantFrom('admin', 'pat:admin')
  const own = { client: 'backendAll', frontend: 'frontend', public: 'none' }
  const allowed = access === 'admin' ? admins : fc.constant(own[access])
  if (changer !== undefined) return changer.startsWith('pat:') && access === 'admin' ? fc.constant(changer) : allowed
  return fc.oneof({ weight: 7, arbitrary: allowed }, { weight: 3, arbitrary: others })
}

function sampled<Value>(values: fc.Arbitrary<Value | undefined>, seed: number): Value {
  const [value] = fc.sample(values, { seed, numRuns: 1 })
  if (value === undefined) throw new RangeError('There is no value')
  return value
}

/** The reads that can show a change. */
function readsOf({ tag, path }: OperationRow): OperationRow[] {
  return operations.filter((row) => {
    const isNear = row.tag === tag || path.startsWith(row.path)
    return row.method === 'GET' && (isNear || SHOWING.test(row.id))
  })
}
