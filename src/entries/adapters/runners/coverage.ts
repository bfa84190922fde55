import { COVERAGE_WANTED } from '../../../engine/mock/flag-report.js'
import { observeFlags } from '../../../engine/mock/observe-flags.js'
import type { CoveredSession } from '../../../engine/sessions/sdk-directory.js'
import { sdkDirectory } from '../../../engine/sessions/sdk-directory.js'
import { isObject } from '../../../support/json.js'

/** The name of the attachment in which a Playwright test leaves its coverage for the reporter. */
export const COVERAGE_ATTACHMENT = 'flag coverage'

/** The variable with the folder in which each test file of Jest leaves a folder for the reporter, with its coverage in this file. */
export const COVERAGE_FOLDER = '__FLAGDOUBLE_FLAG_COVERAGE_FOLDER'
export const COVERAGE_FILE = 'flag-coverage.json'

/** The packages of SDKs, each with the class of its clients. */
const CLASSES = { 'unleash-proxy-client': 'UnleashClient', 'unleash-client': 'Unleash' } as const

/** The parts of Node's `process`, which a page lacks. */
interface NodeProcess {
  env: Readonly<Record<string, string | undefined>>
  cwd(): string
  getBuiltinModule?(name: string): unknown
}

const process: Partial<NodeProcess> | undefined = Reflect.get(globalThis, 'process')

/** Whether a reporter of this run wants the flag coverage. */
export function isCoverageWanted(): boolean {
  return process?.env?.[COVERAGE_WANTED] !== undefined
}

/** Lets observed SDKs tell the running test's mock and, if a reporter is on, observes all SDKs that are installed. */
export async function observeSdks(current: () => CoveredSession | undefined): Promise<void> {
  sdkDirectory().current = current
  if (isCoverageWanted()) for (const name of Object.keys(CLASSES)) await observePackage(name)
}

/** Observes the classes of the SDKs that send requests, so that a failed test can name the flags that it asked for. */
export class SendingSdks {
  readonly #observed = new Map<string, Promise<void>>()

  /** Settles when the SDK of a request is observed. It is loaded already, because it sent the request. */
  async observe(headers: Readonly<Record<string, string | undefined>>): Promise<void> {
    const sender = headers['unleash-sdk']
    if (sender === undefined) return
    const name = sender.includes('node') ? 'unleash-client' : 'unleash-proxy-client'
    const observed = this.#observed.get(name) ?? observePackage(name)
    this.#observed.set(name, observed)
    await observed
  }
}

async function observePackage(name: string): Promise<void> {
  for (const load of [(one: string) => import(/* @vite-ignore */ one), ...requires()]) {
    const found = await Promise.resolve(name)
      .then(load)
      .catch(() => undefined)
    const client: unknown = isObject(found) ? found[CLASSES[name as keyof typeof CLASSES]] : undefined
    if (isClass(client)) observeFlags(client)
  }
}

function isClass(given: unknown): given is Parameters<typeof observeFlags>[0] {
  return typeof given === 'function' && 'prototype' in given
}

/**
 * The functions that load CommonJS, from this package and, if it is linked, from the current folder. Empty in a page, and in
 * Jest, where each test file has separate copies.
 */
function requires(): ((name: string) => unknown)[] {
  if (process?.env?.JEST_WORKER_ID !== undefined) return []
  const found: unknown = process?.getBuiltinModule?.('node:module')
  // The module itself is a class.
  const createRequire: unknown = typeof found === 'function' ? Reflect.get(found, 'createRequire') : undefined
  if (typeof createRequire !== 'function') return []
  return [import.meta.url, `${process?.cwd?.()}/flagdouble.js`].map((place) => createRequire(place))
}
