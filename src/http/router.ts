import type { Params, Result, Router } from 'hono/router'

interface Node<Handler> {
  statics: Map<string, Node<Handler>>
  param: { name: string; node: Node<Handler> } | undefined
  /** By method. */
  handlers: Map<string, Handler>
}

/**
 * A router for Hono that matches as the service does: without regard to the case of fixed segments, to a trailing
 * slash or to repeated ones. Parameters are handed on as they were sent. The msw handlers ask the same router, so every
 * door agrees on what a path means. One handler a method and path; no wildcards.
 */
export class SegmentRouter<Handler> implements Router<Handler> {
  readonly name = 'SegmentRouter'
  readonly #root: Node<Handler> = createNode()

  add(method: string, path: string, handler: Handler): void {
    let node = this.#root
    for (const segment of segmentsOf(path)) {
      node = segment.startsWith(':') ? paramChild(node, segment.slice(1)) : staticChild(node, segment.toLowerCase())
    }
    if (node.handlers.has(method)) throw new Error(`Two handlers for ${method} ${path}.`)
    node.handlers.set(method, handler)
  }

  match(method: string, path: string): Result<Handler> {
    const params = Object.create(null) as Params
    const leaf = find(this.#root, segmentsOf(path), 0, params, method)
    const handler = leaf?.handlers.get(method)
    return [handler === undefined ? [] : [[handler, params]]]
  }

  /** The methods that are known on a path. */
  methodsOf(path: string): string[] {
    return [...(find(this.#root, segmentsOf(path), 0, {}, undefined)?.handlers.keys() ?? [])]
  }
}

/** The node that a path leads to and that takes the method (any, if none is given). Fixed segments go first. */
function find<Handler>(
  node: Node<Handler>,
  segments: readonly string[],
  depth: number,
  params: Params,
  method: string | undefined,
): Node<Handler> | undefined {
  const segment = segments[depth]
  if (segment === undefined) {
    const takes = method === undefined ? node.handlers.size > 0 : node.handlers.has(method)
    return takes ? node : undefined
  }
  const fixed = node.statics.get(segment) ?? node.statics.get(segment.toLowerCase())
  const found = fixed === undefined ? undefined : find(fixed, segments, depth + 1, params, method)
  if (found !== undefined || node.param === undefined) return found
  // Hono decodes parameters, and forgives what it can't read; one more encoding hands them on as they were sent.
  params[node.param.name] = segment.includes('%') ? segment.replaceAll('%', '%25') : segment
  return find(node.param.node, segments, depth + 1, params, method)
}

/** The segments of a path; empty ones do not count. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = []
  let start = 0
  for (let end = 0; end <= path.length; end++) {
    if (end < path.length && path.charCodeAt(end) !== SLASH) continue
    if (end > start) segments.push(path.slice(start, end))
    start = end + 1
  }
  return segments
}

const SLASH = '/'.charCodeAt(0)

function createNode<Handler>(): Node<Handler> {
  return { statics: new Map(), param: undefined, handlers: new Map() }
}

function staticChild<Handler>(node: Node<Handler>, segment: string): Node<Handler> {
  const child = node.statics.get(segment) ?? createNode<Handler>()
  node.statics.set(segment, child)
  return child
}

function paramChild<Handler>(node: Node<Handler>, name: string): Node<Handler> {
  node.param ??= { name, node: createNode<Handler>() }
  if (node.param.name !== name) throw new Error(`Two names for one parameter: :${node.param.name} and :${name}.`)
  return node.param.node
}
