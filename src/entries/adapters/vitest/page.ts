import type { HttpHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { TestRunner } from 'vitest'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { reasonOf } from '../../../support/errors.js'
import { sentence } from '../../../support/text.js'
import { listenOptions } from '../msw/unhandled.js'
import { mockTests } from './mock-tests.js'
import { TestNetwork } from './network.js'
import type { OwnServer, TestRun } from './run.js'

/** The worker of msw. A page can't tell which test sends a request, so its tests run one after another. */
class PageNetwork extends TestNetwork {
  /** The variable of the reporter doesn't reach a page. */
  protected readonly isCoverageWanted = true

  protected async start(handler: HttpHandler): Promise<() => unknown> {
    const worker = setupWorker(handler)
    try {
      await worker.start({ quiet: true, ...listenOptions(undefined, { unhandled: 'bypass' }) })
    } catch (error) {
      throw cannotStart(error)
    }
    return () => worker.stop()
  }

  protected isSameCopy(server: OwnServer): boolean {
    return Object.getPrototypeOf(server) === Object.getPrototypeOf(setupWorker())
  }

  run<Result>(_: TestRun, act: () => Result): Result {
    return act()
  }

  protected get inContext(): undefined {
    return undefined
  }

  protected admit({ task }: TestRun, others: readonly TestRun[]): void {
    if (others.every((other) => other.task === task)) return
    throw new MockError(
      'NOT_READY',
      "Tests with a mock run concurrently, and a page can't tell which of them sends a request.",
      'Run them one after another, or in Node.',
    )
  }

  protected isServed(): boolean {
    return false
  }

  /** The page loads its modules from its own origin, by requests like any others. */
  protected isForOthers({ method, url }: Request): boolean {
    return method === 'GET' && new URL(url).origin === location.origin
  }
}

function cannotStart(error: unknown): MockError {
  const fault = new MockError(
    'NOT_READY',
    `msw's worker can't start in the page of the tests: ${sentence(reasonOf(error))}`,
    'Add its script to the public files (npx msw init public --save), or pass your own running worker to `useMock({ server })`.',
  )
  fault.stack = `${fault.name}: ${fault.message}`
  return fault
}

export const testsInPage = mockTests(new PageNetwork(), TestRunner)
