import { operations } from '../../service/api/operations.js'
import type { Destination, Paths } from './call.js'

/** The path of a URL, or of one without an origin, as it was sent: percent-encoding included. */
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

/** The segments of a path. Empty ones don't count. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** The control API is below this path. */
export const CONTROL_PATH = '/__mock'

/** Only the service has paths below these. */
const AREAS = ['/api/admin', '/api/client', '/api/frontend', '/edge']
const SERVICE_PATHS = [...AREAS, '/invite', '/auth/simple', CONTROL_PATH]

function isBelow(roots: readonly string[], path: string): boolean {
  const plain = `/${segmentsOf(path.toLowerCase()).join('/')}/`
  return roots.some((root) => plain.startsWith(`${root}/`))
}

/** Whether a path is the service's at any origin. Any app may have the other paths of operations, such as `/health`. */
export function isServicePath(path: string): boolean {
  return isBelow(SERVICE_PATHS, path)
}

/** Whether a path is that of the API for pages. */
export function isFrontendPath(path: string): boolean {
  return /^\/+api\/+frontend(\/|$)/i.test(path)
}

/** Where the service itself would show its OpenAPI document. */
export const DOCUMENT_PATH = '/docs/openapi.json'

/**
 * The kinds of SDKs whose paths a path contains after something else, or as they were once called. Fixed segments are as
 * they were sent.
 */
export function sdkPathsIn(path: string): ('client' | 'frontend')[] {
  const [, ...later] = segmentsOf(path)
  const rest = `/${later.join('/')}`
  return (['client', 'frontend'] as const).filter(
    (access) => rest.includes(`/api/${access}`) || (access === 'frontend' && path.includes('/api/proxy')),
  )
}

export function pathBelow(basePath: string, path: string): string | undefined {
  if (basePath === '') return path
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined
}

/** Whether a text in an address leads to a path of the same origin. What begins with two slashes would name a host. */
export function isPathOfOrigin(path: string): boolean {
  const origin = 'http://origin.invalid'
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return false
  const target = new URL(path, origin)
  return target.origin === origin && !target.pathname.startsWith('//')
}

/** The path of the service that a path stands for, or itself. */
function behindGateway(path: string, paths: Paths): string {
  for (const [start, meant] of Object.entries(paths)) {
    const rest = pathBelow(start, path)
    if (rest !== undefined) return meant + rest
  }
  return path
}

/** What a method and a path lead to. Parameters are as they were sent, percent-encoded. */
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
 * Matches paths as the service does: fixed segments regardless of case, trailing and repeated slashes ignored. Fixed
 * segments take precedence over parameters. There is one target per method and path, and there are no wildcards.
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

  /** The methods of a path. Undefined for one that is not known. */
  methodsOf(path: string): string[] | undefined {
    const node = find(this.#root, segmentsOf(path), 0, {}, undefined)
    return node && [...node.targets.keys()]
  }
}

/** The node that a path leads to and that takes the method. Without a method, the node that takes any. */
function find<Target>(
  node: Node<Target>,
  segments: readonly string[],
  depth: number,
  params: Record<string, string>,
  method: string | undefined,
): Node<Target> | undefined {
  const segment = segments[depth]
  if (segment === undefined) {
    const takes = method === undefined ? node.targets.size > 0 : node.targets.has(method)
    return takes ? node : undefined
  }
  const fixed = node.statics.get(segment) ?? node.statics.get(segment.toLowerCase())
  const found = fixed === undefined ? undefined : find(fixed, segments, depth + 1, params, method)
  if (found !== undefined || node.param === undefined) return found
  params[node.param.name] = segment
  return find(node.param.node, segments, depth + 1, params, method)
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

/** What flagdouble answers outside of the control API's path. */
const OWN_PATHS = ['/', DOCUMENT_PATH]

const router = new Router<(typeof operations)[number]>()
for (const row of operations) router.add(row.method, row.path, row)

/** Where a method and a path lead. The path is as it was sent, base path included. */
export function locate(sent: string, sentPath: string, basePath: string, paths: Paths = {}): Destination {
  const below = pathBelow(basePath, sentPath)
  if (below === undefined) return { place: 'outside', path: below }
  const path = behindGateway(below, paths)
  const method = sent === 'HEAD' ? 'GET' : sent
  const { target: row, params } = router.match(method, path) ?? {}
  if (row !== undefined) return { place: 'operation', path, row, params }
  const plain = `/${segmentsOf(path.toLowerCase()).join('/')}`
  if (`${plain}/`.startsWith(`${CONTROL_PATH}/`)) return { place: 'control', path, isOwn: true }
  if (OWN_PATHS.includes(plain)) return { place: 'other', path, isOwn: method === 'GET', methods: ['GET'] }
  const methods = router.methodsOf(path)
  return { place: methods === undefined ? 'other' : 'operation', path, methods }
}

/**
 * Whether a request is for the service or for flagdouble itself, and not for an app at the same address: an operation, the
 * control API, and all that is in an area of the service's alone, in any letter case. What it doesn't have there is a
 * mistake. The root is the app's. Outside of `/api`, an app may use other methods on the path of an operation.
 */
export function isClaimed({ place, path = '', row, isOwn }: Destination): boolean {
  if (path === '/') return false
  const isOfOperation = row !== undefined || (place === 'operation' && isBelow(['/api'], path))
  return isOfOperation || isOwn === true || isBelow([...AREAS, '/internal-backstage'], path)
}
