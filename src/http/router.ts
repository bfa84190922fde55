import type { Params, Result, Router } from 'hono/router'

interface Node<Handler> {
  statics: Map<string, Node<Handler>>
  param?: { name: string; node: Node<Handler> }
  handlers: Map<string, Handler[]>
  /** Handlers of a pattern that ends here with `*`. */
  wildcards: Map<string, Handler[]>
}

const ALL = 'ALL'

/**
 * A router for Hono that matches as the service does: without regard to the case of fixed segments, to a trailing
 * slash or to repeated ones. Parameters are handed on as they were sent. The msw handlers ask the same router, so every
 * door agrees on what a path means.
 */
export class SegmentRouter<Handler> implements Router<Handler> {
  readonly name = 'SegmentRouter'
  readonly #root: Node<Handler> = createNode()

  add(method: string, path: string, handler: Handler): void {
    let node = this.#root
    for (const segment of segmentsOf(path)) {
      if (segment === '*') {
        append(node.wildcards, method, handler)
        return
      }
      node = segment.startsWith(':') ? paramChild(node, segment.slice(1)) : staticChild(node, segment.toLowerCase())
    }
    append(node.handlers, method, handler)
  }

  match(method: string, path: string): Result<Handler> {
    const segments = segmentsOf(path)
    const params = Object.create(null) as Params
    const leaf = find(this.#root, segments, 0, params, ({ handlers }) => handlers.has(method) || handlers.has(ALL))
    const handlers = [
      ...this.#wildcards(method, segments),
      ...(leaf === undefined ? [] : handlersFor(leaf.handlers, method)),
    ]
    return [handlers.map((handler): [Handler, Params] => [handler, params])]
  }

  /** Whether any method is known on a path. */
  knows(path: string): boolean {
    return find(this.#root, segmentsOf(path), 0, {}, ({ handlers }) => handlers.size > 0) !== undefined
  }

  /** The handlers of every pattern with a `*` at its end that the path begins with. */
  *#wildcards(method: string, segments: readonly string[]): Generator<Handler> {
    let node: Node<Handler> | undefined = this.#root
    for (let depth = 0; node !== undefined; depth++) {
      yield* handlersFor(node.wildcards, method)
      node = node.statics.get(segments[depth]?.toLowerCase() ?? '')
    }
  }
}

/** The node that a path leads to and that will do. Fixed segments go before parameters. */
function find<Handler>(
  node: Node<Handler>,
  segments: readonly string[],
  depth: number,
  params: Params,
  willDo: (node: Node<Handler>) => boolean,
): Node<Handler> | undefined {
  const segment = segments[depth]
  if (segment === undefined) return willDo(node) ? node : undefined
  const fixed = node.statics.get(segment.toLowerCase())
  const found = fixed === undefined ? undefined : find(fixed, segments, depth + 1, params, willDo)
  if (found !== undefined || node.param === undefined) return found
  // Hono decodes parameters, and forgives what it can't read; one more encoding hands them on as they were sent.
  params[node.param.name] = segment.replaceAll('%', '%25')
  return find(node.param.node, segments, depth + 1, params, willDo)
}

function handlersFor<Handler>(handlers: ReadonlyMap<string, Handler[]>, method: string): readonly Handler[] {
  return [...(handlers.get(ALL) ?? []), ...(method === ALL ? [] : (handlers.get(method) ?? []))]
}

/** The segments of a path; empty ones do not count. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function createNode<Handler>(): Node<Handler> {
  return { statics: new Map(), handlers: new Map(), wildcards: new Map() }
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

function append<Handler>(handlers: Map<string, Handler[]>, method: string, handler: Handler): void {
  handlers.set(method, [...(handlers.get(method) ?? []), handler])
}
