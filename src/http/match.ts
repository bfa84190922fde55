import { type OperationId, operations } from '../api/operations.js'
import { DOCUMENT_PATH, isControlPath, pathBelow, rawPath } from './path.js'
import { SegmentRouter } from './router.js'

/** What a request is for: an operation, a known path with a method that it does not take, or the control API. */
export type Target = OperationId | 'otherMethod' | 'control'

/** Made once: it never changes, and mocks are many. */
const router = new SegmentRouter<Target>()
for (const { id, method, path } of operations) router.add(method, path, id)

/** Tells what a request would be answered by, without answering it; undefined if by nothing that is modelled. */
export function createMatcher(basePath: string): (method: string, url: string) => Target | undefined {
  return (method, url) => {
    const path = pathBelow(basePath, rawPath(url))
    if (path === undefined) return undefined
    if (isControlPath(path) || path === DOCUMENT_PATH) return 'control'
    const [[target] = []] = router.match(method === 'HEAD' ? 'GET' : method, path)[0]
    return target ?? (router.methodsOf(path).length > 0 ? 'otherMethod' : undefined)
  }
}
