import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import type { Mock } from '../../mock/mock.js'
import { createHandlers, listenOptions } from '../msw.js'

/**
 * msw's server for the tests of a worker. Each test runs within a boundary of msw, where its own handlers answer; so
 * tests that run at the same time never meet.
 */
export class TestNetwork {
  readonly #server = setupServer()
  readonly #owners = new WeakMap<object, Mock>()
  #users = 0

  /** Begins to listen, if nobody does yet. */
  open(): void {
    if (this.#users === 0) this.#server.listen(listenOptions())
    this.#users += 1
  }

  /** Ends what `open` began, when all who opened it have closed it. */
  close(): void {
    this.#users -= 1
    if (this.#users === 0) this.#server.close()
  }

  /** Runs a test. What it asks for, however late, these handlers and then its mock answer. */
  run<Result>(mock: Mock, handlers: readonly RequestHandler[], test: () => Result): Result {
    const inside = () => {
      const [first, ...rest] = createHandlers(mock)
      if (first !== undefined) this.#owners.set(first, mock)
      this.#server.use(...handlers, ...(first === undefined ? [] : [first]), ...rest)
      return test()
    }
    return this.#server.boundary(inside)()
  }

  /** The mock of the test that this line runs in: the handlers in force here tell. */
  get current(): Mock | undefined {
    for (const handler of this.#server.listHandlers()) {
      const mock = this.#owners.get(handler)
      if (mock !== undefined) return mock
    }
    return undefined
  }
}
