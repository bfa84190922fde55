import { segmentsOf } from './path.js'

interface Node<Target> {
  statics: Map<string, Node<Target>>
  param: { name: string; node: Node<Target> } | undefined
  /** By method. */
  targets: Map<string, Target>
}

/** What a method and a path lead to. Parameters are as they were sent, percent-encoded. */
export interface Match<Target> {
  target: Target
  params: Readonly<Record<string, string>>
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

  /** The targets of a path by their methods. Undefined for a path that is not known. */
  targetsOf(path: string): ReadonlyMap<string, Target> | undefined {
    return find(this.#root, segmentsOf(path), 0, {}, undefined)?.targets
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
