/**
 * The mock for Vitest tests: msw responds, with a separate mock for each test.
 *
 * @module
 */
import type { TestAPI } from 'vitest'
import { atCallSite } from '../../engine/errors/arguments.js'
import type { Mock } from '../../engine/mock/mock.js'
import type { Unhandled } from './msw/unhandled.js'
import { type MockFixtures, mockTests } from './vitest/mock-tests.js'
import { NodeNetwork } from './vitest/node-network.js'
import { runner } from './vitest/peer.js'
import type { TestMockOptions } from './vitest/run.js'

export type { ReceivedRequest } from './runners/matchers.js'
export type { MockFixtures, TestMockOptions, Unhandled }

// The only state at module level: msw patches globals of a worker, so a worker has one network.
const tests = mockTests(new NodeNetwork(), runner)

/**
 * Handles all requests to Unleash by the tests of this file, or of this `describe`. Each test has a fresh mock, even if tests run concurrently; the returned object stands for the current test's mock. A failing test lists its requests. A request that no handler matches is an error by default (`unhandled`).
 *
 * @example
 * const mock = useMock({ scenario: 'empty' })
 *
 * test('asks once', async () => {
 *   await showFlags()
 *   expect(mock.requests.count({ operation: 'getFeatures' })).toBe(1)
 * })
 */
export function useMock(options: TestMockOptions = {}): Mock {
  return atCallSite(useMock, () => tests.useMock(options))
}

/**
 * Vitest's `test` with the fixture `mock`. It needs no further setup; `test.concurrent` is fine.
 *
 * @example
 * test('clones', async ({ mock }) => {
 *   await clone('checkout-redesign', 'copy')
 *   expect(mock.features.get('copy')).toMatchObject({ project: 'default' })
 * })
 */
export const test: TestAPI<MockFixtures> = tests.test
