import { beforeEach, describe, expect } from 'vitest'
import type { MockOptions } from '../../src/engine/mock/mock.js'
import { type RunningServer, startServer } from '../../src/entries/adapters/node.js'
import { ADMIN } from './adapters.js'
import { rowOf } from './requests.js'

export const features = '/api/admin/projects/default/features'

/** A running server, and the admin API like a user's. */
export async function startAdmin(options: MockOptions) {
  const server = await startServer(options, { port: 0 })
  const called = new Set<string>()
  server.mock.onRequest(({ operation }) => {
    const access = operation === null ? 'public' : rowOf(operation).access
    if (operation !== null && (access === 'client' || access === 'frontend')) called.add(operation)
  })
  const admin = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
    return text === '' ? undefined : JSON.parse(text)
  }
  return { server, admin, called }
}

type Admin = Awaited<ReturnType<typeof startAdmin>>['admin']

/** The server under an SDK's tests. */
interface Backend {
  readonly server: RunningServer
  admin: Admin
  /** The operations that SDKs have called. */
  readonly called: ReadonlySet<string>
  /** Stops an SDK at the end of the test, before the server. */
  atEnd(stop: () => void): void
}

/** Runs an SDK's tests in each profile, with a new server for each test. */
export function describeSdk(title: string, tests: (backend: Backend) => void): void {
  describe.each(['documented', 'unleash-8'] as const)(`${title}, against %s`, (profile) => {
    let started: Awaited<ReturnType<typeof startAdmin>>
    const stops: (() => void)[] = []
    beforeEach(async () => {
      started = await startAdmin({ profile })
      return () => {
        for (const stop of stops.splice(0)) stop()
        return started.server.close(0)
      }
    })
    tests({
      get server() {
        return started.server
      },
      get called() {
        return started.called
      },
      admin: (...call) => started.admin(...call),
      atEnd: (stop) => stops.push(stop),
    })
  })
}

/** Creates a feature with strategies in development, and switches it on there. */
export async function createFeature(admin: Admin, name: string, strategies: readonly object[]): Promise<void> {
  await admin('POST', features, { name, type: 'release' })
  for (const strategy of strategies) {
    await admin('POST', `${features}/${name}/environments/development/strategies`, strategy)
  }
  await admin('POST', `${features}/${name}/environments/development/on`)
}

/** Copies a feature, and switches the copy on in development. */
export async function cloneFeature(
  admin: Admin,
  source: string,
  copy: { name: string; replaceGroupId: boolean },
): Promise<void> {
  await admin('POST', `${features}/${source}/clone`, copy)
  await admin('POST', `${features}/${copy.name}/environments/development/on`)
}

/** A feature's evaluations in the last hour in development, from the admin API. */
export async function usageOf(admin: Admin, name: string): Promise<object> {
  const { lastHourUsage, seenApplications } = await admin('GET', `/api/admin/client-metrics/features/${name}`)
  const { yes, no } = lastHourUsage[0] ?? { yes: 0, no: 0 }
  return { yes, no, seenApplications }
}
