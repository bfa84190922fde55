import fc from 'fast-check'
import { type OperationRow, operations } from '../src/service/api/operations.js'
import { isObject } from '../src/support/json.js'
import type { FidelityRequest, FidelityResponse } from '../test/fidelity/exchange.js'
import { acceptedBody } from '../test/support/any-request.js'
import { exampleName, NOW, QUERIES } from '../test/support/example-requests.js'
import { RequestValues } from '../test/support/request-values.js'

/** Operations that reach out of this machine, or that stop all others. */
const LEFT_OUT = new Set(['createAddon', 'updateAddon', 'toggleMaintenance', 'logout', 'login', 'changePassword'])

const FEATURES = ['flag-a', 'flag-b', 'flag-c', 'flag-d'] as const
/** The names of the tests' examples, as names of the lab. */
const RENAMED: Readonly<Record<string, string>> = {
  'checkout-redesign': 'flag-a',
  'legacy-export': 'flag-b',
  'archived-banner': 'flag-c',
  'dark-mode': 'flag-d',
  'checkout-copy': 'flag-e',
  'mobile-app': 'default',
}

const KNOWN = [
  ...['default', 'development', 'production', ...FEATURES, 'flag-e', 'simple', 'team', 'release', 'experiment'],
  ...['flexibleRollout', 'remoteAddress', 'appName', 'userId', 'plan', 'gold', 'shop', 'staff', 'blue', 'IN'],
  ...['SEMVER_EQ', '50', '1', '2', 'editor@example.com', 'ada@example.com', 'Correct-horse-7', '#123abc'],
  'https://example.com',
]

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
  #tokens = new Map<string, string>()
  #rows: readonly OperationRow[]

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
    const to = (method: string, path: string, body?: unknown): FidelityRequest => {
      const actor = path.startsWith('/api/client') ? 'backendAll' : 'admin'
      return { method, path, actor, ...(body === undefined ? {} : { body }) }
    }
    const features = '/api/admin/projects/default/features'
    const stickiness = 'default'
    const variants = ['red', 'blue'].map((name) => ({ name, weight: 500, weightType: 'variable', stickiness }))
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness, groupId: 'flag-a' } }
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['17'] }]
    const [now, expiresAt] = [new Date().toISOString(), new Date(Date.now() + 9 * 86_400_000).toISOString()]
    const bucket = { start: now, stop: now, toggles: { 'flag-a': { yes: 3, no: 1 }, 'flag-x': { yes: 1, no: 0 } } }
    const instance = { appName: 'shop', instanceId: 'i' }
    return [
      ...FEATURES.map((name) => to('POST', features, { name })),
      to('POST', `${features}/flag-a/environments/development/strategies`, { ...strategy, variants, constraints }),
      to('POST', `${features}/flag-a/environments/production/strategies`, strategy),
      to('POST', `${features}/flag-a/environments/development/on`),
      to('POST', `${features}/flag-b/environments/development/on`),
      to('POST', '/api/admin/context', { name: 'plan', legalValues: [{ value: 'gold' }], stickiness: true }),
      to('POST', '/api/admin/segments', { name: 'staff', constraints }),
      to('POST', '/api/admin/tag-types', { name: 'team', description: 'Who owns it' }),
      to('POST', '/api/admin/features/flag-a/tags', { type: 'simple', value: 'checkout' }),
      to('POST', '/api/admin/invite-link/tokens', { name: 'Workshop', expiresAt }),
      to('POST', `${features}/flag-a/link`, { url: 'https://example.com/wiki', title: 'Wiki' }),
      to('GET', `${features}/flag-a`),
      to('POST', '/api/client/register', { ...instance, strategies: ['default'], started: now, interval: 10 }),
      to('POST', '/api/client/metrics', { ...instance, bucket }),
    ]
  }

  /** The step-th request of the campaign; the same one for the same seed and the same earlier responses. */
  next(step: number): FidelityRequest {
    const seed = this.seed * 100_003 + step
    const [row] = fc.sample(fc.constantFrom(...this.#rows), { seed, numRuns: 1 })
    if (row === undefined) throw new RangeError('There is no operation')
    const values = new RequestValues(this.#names(row, seed))
    const request = fc
      .record({ path: values.path(row), body: values.body(row), actor: actorOf(row) })
      .map(({ path, body, actor }): FidelityRequest => {
        return { method: row.method, path, actor, ...(body === undefined ? {} : { body: JSON.parse(body) }) }
      })
    const [made] = fc.sample(request, { seed, numRuns: 1 })
    if (made === undefined) throw new RangeError('There is no request')
    return made
  }

  #names(row: OperationRow, seed: number) {
    const pick = <Item>(items: readonly Item[]) => (items.length === 0 ? undefined : items[seed % items.length])
    const focus = row.path.includes(':linkId') ? pick(this.#links) : pick(this.#strategies)
    const isFocused = focus !== undefined && /:(linkId|strategyId)/u.test(row.path)
    const secret = this.#tokens.get(
      row.path.includes('invite-link') || row.path.includes('/invite/') ? 'invite' : 'api',
    )
    const likely = ({ path }: OperationRow, param: string): readonly [string, ...string[]] => {
      if (isFocused && (param === 'linkId' || param === 'strategyId')) return [focus.id]
      if (isFocused && param === 'featureName') return [focus.featureName]
      if (isFocused && param === 'environment') return [focus.environment, 'production']
      if (param === 'token' && secret !== undefined) return [secret]
      if (param === 'featureName') return FEATURES
      // The first three personal access tokens are those of the callers.
      if (path.endsWith('/user/tokens/:id')) return ['4', '5']
      if (param === 'environment') return ['development', 'production']
      const example = exampleName(path, param)
      return [RENAMED[example] ?? example, ...(param === 'id' ? ['2', '3'] : [])]
    }
    const accepted = (of: OperationRow) => {
      const body = acceptedBody(of)
      if (body === undefined) return undefined
      const id = focus?.id ?? 'half'
      return JSON.parse(JSON.stringify(body), (_, value: unknown) => {
        if (typeof value !== 'string') return value
        if (value === 'half') return id
        return RENAMED[value] ?? value.replace(NOW, () => new Date().toISOString())
      })
    }
    const queries = ({ id }: OperationRow) => ['', new Map<string, string>(Object.entries(QUERIES)).get(id) ?? '']
    return { known: KNOWN, likely, accepted, queries }
  }

  /** Learns which records exist from a response of Unleash. */
  learn({ path }: FidelityRequest, { status, body }: FidelityResponse): void {
    if (status >= 300 || !isObject(body)) return
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

/** Most callers are allowed to send the request; others are of every other kind. */
function actorOf({ access, path }: OperationRow): fc.Arbitrary<string> {
  const others = fc.constantFrom('none', 'pat:viewer', 'pat:editor', 'cookie:editor', 'backendAll', 'frontend', 'admin')
  const ofUser = /\/(user|favorites|splash|feedback|personal-dashboard)\b/u.test(path)
  const own = { admin: ofUser ? 'pat:admin' : 'admin', client: 'backendAll', frontend: 'frontend', public: 'none' }[
    access
  ]
  return fc.oneof({ weight: 7, arbitrary: fc.constant(own) }, { weight: 2, arbitrary: others })
}
