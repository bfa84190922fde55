import { operations } from '../../service/api/operations.js'
import type { Access } from '../../service/contract/operation.js'
import { nearestOf, nearOf } from '../../support/nearest.js'
import { segmentsOf } from '../../support/text.js'
import type { CheckedRow, Destination, Paths } from './call.js'

/** The path of a URL, with or without an origin, as sent: percent-encoding included. */
export function rawPath(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const path = url.slice(start)
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}

/** The query of a URL with its `?`, or `''`. Without the fragment. */
export function rawQuery(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** A path as routes compare it: in lower case, with single slashes, and without a slash at its end. */
export function plainPath(path: string): string {
  return `/${segmentsOf(path.toLowerCase()).join('/')}`
}

/** The control API is below this path. */
export const CONTROL_PATH = '/__mock'

/** Paths below which only Unleash has paths. */
const AREAS = ['/api/admin', '/api/client', '/api/frontend', '/edge']
const SERVICE_PATHS = [...AREAS, '/invite', '/auth/simple', CONTROL_PATH]

function isBelow(roots: readonly string[], path: string): boolean {
  const plain = `${plainPath(path)}/`
  return roots.some((root) => plain.startsWith(`${root}/`))
}

/** Whether a path belongs to Unleash at any origin. Any app can have the other paths of operations, such as `/health`. */
export function isServicePath(path: string): boolean {
  return isBelow(SERVICE_PATHS, path)
}

/** Whether a path belongs to the frontend API. */
export function isFrontendPath(path: string): boolean {
  return /^\/+api\/+frontend(\/|$)/i.test(path)
}

/** The path of the OpenAPI document in Unleash. */
export const DOCUMENT_PATH = '/docs/openapi.json'

/** The kinds of SDKs whose paths occur in a path, after a prefix or under an old name. Fixed segments are compared as sent. */
export function sdkPathsIn(path: string): ('client' | 'frontend')[] {
  const [, ...later] = segmentsOf(path)
  const rest = `/${later.join('/')}`
  return (['client', 'frontend'] as const).filter(
    (access) => rest.includes(`/api/${access}`) || (access === 'frontend' && path.includes('/api/proxy')),
  )
}

/** The kind of API token that a path's area needs. */
export function accessTo(path: string): Access {
  const [first, second] = segmentsOf(path.toLowerCase())
  // Unleash identifies the caller before it finds that only a POST signs out.
  if (first === 'logout') return 'admin'
  if (first !== 'api') return 'public'
  return second === 'client' || second === 'frontend' ? second : 'admin'
}

/** A row for a path without an operation. */
export function rowOfUnknown({ path = '' }: Destination): CheckedRow {
  const below = sdkPathsIn(path)
  return { access: below.length === 0 ? accessTo(path) : below, ignoresBody: true }
}

export function pathBelow(basePath: string, path: string): string | undefined {
  if (basePath === '') return path
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined
}

/** Whether a text in a URL leads to a path of the same origin. Two leading slashes would name a host. */
export function isPathOfOrigin(path: string): boolean {
  const origin = 'http://origin.invalid'
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return false
  const target = new URL(path, origin)
  return target.origin === origin && !target.pathname.startsWith('//')
}

/** The Unleash path of a gateway path, or the path itself. */
function behindGateway(path: string, paths: Paths): string {
  let longest = ''
  for (const start of Object.keys(paths)) {
    if (start.length > longest.length && pathBelow(start, path) !== undefined) longest = start
  }
  return longest === '' ? path : (paths[longest] ?? '') + path.slice(longest.length)
}

/** The target of a method and a path. Parameters are as sent, percent-encoded. */
interface Match<Target> {
  target: Target
  params: Readonly<Record<string, string>>
}

interface Node<Target> {
  statics: Map<string, Node<Target>>
  param: { name: string; node: Node<Target> } | undefined
  /** By method. */
  targets: Map<string, Target>
}

/**
 * Matches paths as Unleash does: fixed segments regardless of case, trailing and repeated slashes ignored. Fixed segments
 * take precedence over parameters. Each method and path has one target; wildcards don't exist.
 */
export class Router<Target> {
  readonly #root: Node<Target> = createNode()

  add(method: string, path: string, target: Target): void {
    let node = this.#root
    for (const segment of segmentsOf(path)) {
      node = segment.startsWith(':') ? paramChild(node, segment.slice(1)) : staticChild(node, segment.toLowerCase())
    }
    if (node.targets.has(method)) throw new Error(`Two targets for ${method} ${path}.`)
    node.targets.set(method, target)
  }

  match(method: string, path: string): Match<Target> | undefined {
    const params: Record<string, string> = {}
    const target = find(this.#root, segmentsOf(path), 0, params, method)?.targets.get(method)
    return target === undefined ? undefined : { target, params }
  }

  /**
   * The target of the most similar path: at each segment, of the most similar name. It compares with the names in that
   * place, because comparing with all paths takes longer than responding. Undefined if one of the first two segments is
   * unlike all.
   */
  nearest(method: string, path: string): Target | undefined {
    const [first = '', ...rest] = segmentsOf(path)
    const root = nearOf(first, [...this.#root.statics.keys()])
    if (root === undefined) return undefined
    let node = childLike(this.#root, root)
    const [second] = rest
    if (second !== undefined && node.param === undefined && !isLike(node, second)) return undefined
    for (const segment of rest) node = childLike(node, segment, method)
    while (node.targets.size === 0) node = childLike(node, '', method)
    return node.targets.get(method) ?? [...node.targets.values()][0]
  }

  /** Whether a path has targets, or is the start of a path that has them. */
  leadsTo(path: string): boolean {
    return find(this.#root, segmentsOf(path), 0, {}, undefined, true) !== undefined
  }

  /** The methods of a path. Undefined for an unknown path. */
  methodsOf(path: string): string[] | undefined {
    const node = find(this.#root, segmentsOf(path), 0, {}, undefined)
    return node && [...node.targets.keys()]
  }
}

/** The node of a path that has the method. Without a method, the node that has any or, for a start of a path, any node. */
function find<Target>(
  node: Node<Target>,
  segments: readonly string[],
  depth: number,
  params: Record<string, string>,
  method: string | undefined,
  isStart = false,
): Node<Target> | undefined {
  const segment = segments[depth]
  if (segment === undefined) {
    const takes = isStart || (method === undefined ? node.targets.size > 0 : node.targets.has(method))
    return takes ? node : undefined
  }
  const fixed = node.statics.get(segment) ?? node.statics.get(segment.toLowerCase())
  const found = fixed === undefined ? undefined : find(fixed, segments, depth + 1, params, method, isStart)
  if (found !== undefined || node.param === undefined) return found
  params[node.param.name] = segment
  return find(node.param.node, segments, depth + 1, params, method, isStart)
}

/**
 * The child for a segment: of its name, of a similar name, for any name, below a forgotten segment, or of any name, best
 * with the method. Itself without children.
 */
function childLike<Target>(node: Node<Target>, segment: string, method = ''): Node<Target> {
  const { statics, param } = node
  const name = segment.toLowerCase()
  const names = [...statics.keys()]
  const near = statics.get(name) ?? statics.get(nearOf(name, names) ?? '') ?? param?.node
  if (near !== undefined) return near
  const forgotten = [...statics.values()].find((child) => child.statics.has(name))
  const ofMethod = names.filter((one) => statics.get(one)?.targets.has(method))
  const nearest = nearestOf(name, ofMethod) ?? nearestOf(name, names) ?? ''
  return forgotten?.statics.get(name) ?? statics.get(nearest) ?? node
}

/** Whether a child of a node has a similar name, or a child of such a child has this name. */
function isLike<Target>({ statics }: Node<Target>, segment: string): boolean {
  const isBelowOne = [...statics.values()].some((child) => child.statics.has(segment.toLowerCase()))
  return isBelowOne || nearOf(segment, [...statics.keys()]) !== undefined
}

function createNode<Target>(): Node<Target> {
  return { statics: new Map(), param: undefined, targets: new Map() }
}

function staticChild<Target>(node: Node<Target>, segment: string): Node<Target> {
  const child = node.statics.get(segment) ?? createNode<Target>()
  node.statics.set(segment, child)
  return child
}

function paramChild<Target>(node: Node<Target>, name: string): Node<Target> {
  node.param ??= { name, node: createNode<Target>() }
  if (node.param.name !== name) throw new Error(`Two names for one parameter: :${node.param.name} and :${name}.`)
  return node.param.node
}

/** The page after a logout. Unleash's frontend has it, and an app can have it too. */
export const SIGNED_OUT_PATH = '/signed-out'

/** flagdouble's own paths outside of the control API. */
const OWN_PATHS = ['/', DOCUMENT_PATH, SIGNED_OUT_PATH]

const router = new Router<(typeof operations)[number]>()
for (const row of operations) router.add(row.method, row.path, row)

/** A flag of today's routes. */
const FLAG = '/api/admin/projects/:projectId/features/:featureName'

/** Paths of Unleash 3 to 6, each with today's route, and the release that has removed it, if that is known. */
const formerRoutes: readonly [former: RegExp, route: string, removedIn?: number][] = [
  [/^GET \/api\/features$/, 'GET /api/client/features'],
  [/^GET \/api\/admin\/metrics\/(?:feature|seen)-toggles$/, 'GET /api/admin/client-metrics/features/:name'],
  [/^GET \/api\/admin\/metrics\/seen-apps$/, 'GET /api/admin/metrics/applications'],
  [/^GET \/api\/admin\/features$/, 'GET /api/admin/search/features', 6],
  [/^GET \/api\/admin\/features\/[^/]+$/, `GET ${FLAG}`],
  [/^GET \/api\/admin\/archive\/features(\/[^/]+)?$/, 'GET /api/admin/search/features', 7],
  [/^GET \/api\/admin\/projects\/[^/]+$/, 'GET /api/admin/projects/:projectId/overview', 7],
  [/^POST \/api\/admin\/features$/, 'POST /api/admin/projects/:projectId/features', 5],
  [/^(PUT|DELETE) \/api\/admin\/features\/[^/]+$/, `$1 ${FLAG}`, 5],
  [/^POST \/api\/admin\/features\/[^/]+\/toggle\/(on|off)$/, `POST ${FLAG}/environments/:environment/$1`, 5],
  [/^POST \/api\/admin\/features\/[^/]+\/toggle$/, `POST ${FLAG}/environments/:environment/on`],
  [/^POST \/api\/admin\/features\/[^/]+\/stale\/(on|off)$/, 'POST /api/admin/projects/:projectId/stale', 5],
  [
    /^(GET|PUT|PATCH) \/api\/admin\/(?:projects\/[^/]+\/)?features\/[^/]+\/variants$/,
    `$1 ${FLAG}/environments/:environment/variants`,
  ],
  [/^POST \/api\/admin\/state\/import$/, 'POST /api/admin/features-batch/import', 6],
  [/^GET \/api\/admin\/state\/export$/, 'POST /api/admin/features-batch/export', 6],
]

/** Requests that Unleash's open-source edition doesn't take. */
const PAID = [
  /^\w+ \/api\/admin\/(groups|permissions|release-plan-templates|roles|service-account)(\/|$)/,
  /^\w+ \/api\/admin\/(auth\/\w+\/settings$|.*change-requests|projects\/[^/]+\/(access|roles)(\/|$))/,
  /^(POST \/api\/admin\/(projects|environments)|(PUT|DELETE) \/api\/admin\/(projects|environments(\/update)?)\/[^/]+)$/,
]

/** A sentence about a former route, with the release that has removed it and today's route, or about a route of paid editions. */
export function hintOnOtherReleases(method: string, path: string): string | undefined {
  const asked = `${method} ${path.replace(/\/$/, '')}`
  const [pattern, route, removedIn] = formerRoutes.find(([former]) => former.test(asked)) ?? []
  if (pattern === undefined) {
    return PAID.some((one) => one.test(asked)) ? 'Only paid editions of Unleash have this route.' : undefined
  }
  const release = removedIn === undefined ? 'Unleash' : `Unleash ${removedIn}`
  return `${release} has removed this route. The nearest modelled route is ${asked.replace(pattern, route ?? '')}.`
}

/**
 * The route with which a path ends: `GET /api/client/features` for `/client/features`, `/api/api/client/features` and
 * `/gateway/api/client/features`, and `GET /api/frontend` for `/api` and for the older name `/proxy`. Undefined for the
 * routes themselves.
 */
export function routeIn(sent: string, path: string): string | undefined {
  const method = sent === 'HEAD' ? 'GET' : sent
  if (router.methodsOf(path) !== undefined) return undefined
  const named = segmentsOf(path).map((segment) => (segment.toLowerCase() === 'proxy' ? 'frontend' : segment))
  const segments = named.slice(-LONGEST)
  if (['', 'api'].includes(segments.join('/').toLowerCase())) return method === 'GET' ? FRONTEND_ROUTE : undefined
  const ends = segments
    .map((_, i) => segments.slice(i).join('/'))
    .map((end) => `/${end.replace(/^(?!api\/)/i, 'api/')}`)
  for (const end of ends) {
    const row = router.match(method, end)?.target
    if (row !== undefined) return `${row.method} ${row.path}`
  }
  return undefined
}

const FRONTEND_ROUTE = 'GET /api/frontend'

/** The segments of the longest route. */
const LONGEST = Math.max(...operations.map(({ path }) => segmentsOf(path).length))

/** The row with the most similar path: `GET /api/admin/projects`. */
export function nearestRoute(method: string, path: string): string | undefined {
  const row = router.nearest(method, path)
  return row && `${row.method} ${row.path}`
}

/** Whether a path, or a longer path, has an operation or belongs to flagdouble. */
export function leadsToRoute(path: string): boolean {
  const isMockPath = isBelow([CONTROL_PATH], path) || isBelow([plainPath(path)], DOCUMENT_PATH)
  return isMockPath || router.leadsTo(path)
}

/** The starts of all operations' paths, up to the first parameter. */
export function routeStarts(): string[] {
  const starts = operations.flatMap(({ path }) => {
    const fixed = segmentsOf(path.split('/:', 1)[0] ?? '')
    return fixed.map((_, i) => `/${fixed.slice(0, i + 1).join('/')}`)
  })
  return [...new Set(starts)]
}

/** The destination of a method and a path. The path is as sent, base path included. */
export function locate(sent: string, sentPath: string, basePath: string, paths: Paths = {}): Destination {
  const below = pathBelow(basePath, sentPath)
  if (below === undefined) return { place: 'outside', path: below }
  const path = behindGateway(below, paths)
  const method = sent === 'HEAD' ? 'GET' : sent
  const { target: row, params: rawParams } = router.match(method, path) ?? {}
  if (row !== undefined) return { place: 'operation', path, row, rawParams }
  const plain = plainPath(path)
  if (`${plain}/`.startsWith(`${CONTROL_PATH}/`)) return { place: 'control', path, isMockPath: true }
  if (OWN_PATHS.includes(plain)) return { place: 'other', path, isMockPath: method === 'GET', methods: ['GET'] }
  const methods = router.methodsOf(path)
  return { place: methods === undefined ? 'other' : 'operation', path, methods }
}

/**
 * Whether a request is for Unleash or flagdouble, not for an app at the same address: for an operation, the control API,
 * or any path in an area that belongs only to Unleash, in any letter case (an unknown path there is a mistake). The root
 * and the page after a logout belong to the app. Outside of `/api`, an app can use other methods on the path of an operation.
 */
export function isClaimed({ place, path = '', row, isMockPath }: Destination): boolean {
  if (['/', SIGNED_OUT_PATH].includes(plainPath(path))) return false
  const isOfOperation = row !== undefined || (place === 'operation' && isBelow(['/api'], path))
  return isOfOperation || isMockPath === true || isBelow([...AREAS, '/internal-backstage'], path)
}
