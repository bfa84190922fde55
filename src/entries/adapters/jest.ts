/**
 * Jest with CommonJS, where `require('flagdouble')` and msw need compiled ES modules: `preset: 'flagdouble/jest'`.
 *
 * @module
 */
import type { OperationId } from '../../service/api/operations.js'
import { isObject } from '../../support/json.js'
import { babelJest, callingFolders, readPreset, readProjects, rootDirOf } from './jest/other-configs.js'
import type { ReceivedRequest } from './runners/matchers.js'

/** The matcher of the preset. A parameter less than in Jest's own interfaces is allowed. */
interface MockMatchers<R> {
  toHaveReceived(operation: OperationId, expected?: number | ReceivedRequest): R
}

declare global {
  namespace jest {
    // For @types/jest.
    interface Matchers<R> extends MockMatchers<R> {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: a project can lack this package, which belongs to @jest/globals
/** @ts-ignore */
declare module 'expect' {
  interface Matchers<R> extends MockMatchers<R> {}
}

/** The relevant parts of Jest's configuration. */
export interface JestConfig {
  rootDir?: string | undefined
  preset?: string | null | undefined
  // biome-ignore lint/suspicious/noExplicitAny: Jest's own type of a transformer's options is any
  transform?: Record<string, any> | undefined
  transformIgnorePatterns?: string[] | undefined
  setupFiles?: string[] | undefined
  setupFilesAfterEnv?: string[] | undefined
  testEnvironmentOptions?: Record<string, unknown> | undefined
  // biome-ignore lint/suspicious/noExplicitAny: Jest's own type of a project can't be named without Jest
  projects?: any[] | undefined
}

/** Dependencies of flagdouble and msw (2 and 3) that are published as ES modules, as far as a test can load them. */
const PACKAGES = [
  'flagdouble',
  '@faker-js/faker',
  '@msw/[^/]+',
  '@mswjs/interceptors',
  '@open-draft/[^/]+',
  '@standard-schema/spec',
  'cookie',
  'headers-polyfill',
  'msw',
  're2js',
  'rettime',
  'set-cookie-parser',
  'tagged-tag',
  'tough-cookie',
  'type-fest',
  'until-async',
]

/** Modules of these packages, including those in pnpm's folders. */
const OURS = `/node_modules/(?:${PACKAGES.join('|')})/.+\\.m?js$`

const TRANSFORM = { [OURS]: 'flagdouble/jest/transform' }
const SETUP = 'flagdouble/jest/setup'
const FAILURES = 'flagdouble/jest/failures'

/** Loads Node's version of packages even in an imitation of a browser: msw has no other. */
const CONDITIONS = { customExportConditions: ['node', 'node-addons'] }

/** Jest's own patterns. */
const IGNORED = ['/node_modules/', '\\.pnp\\.[^\\/]+$']

const EXCEPT_OURS = `^(?!.*${OURS})`

/** The same pattern, except for our modules. */
function exceptOurs(pattern: string): string {
  return pattern.startsWith(EXCEPT_OURS) ? pattern : `${EXCEPT_OURS}(?=.*(?:${pattern}))`
}

/** Jest's own transformer, when a configuration has no transformer. */
const byDefault = () => ({ '\\.[jt]sx?$': babelJest() })

const preset = {
  transform: { ...TRANSFORM, ...byDefault() },
  transformIgnorePatterns: IGNORED.map(exceptOurs),
  setupFiles: [SETUP],
  setupFilesAfterEnv: [FAILURES],
  testEnvironmentOptions: CONDITIONS,
}

export default preset

/**
 * Adds to a configuration what the preset contains, and takes nothing away: for projects with their own preset, `transform`, `transformIgnorePatterns` or `projects`. Accepts any export of a Jest configuration file, including the function that `next/jest` creates.
 *
 * @example
 * // jest.config.js
 * const { withFlagdouble } = require('flagdouble/jest')
 *
 * module.exports = withFlagdouble({ preset: 'ts-jest' })
 */
export function withFlagdouble<Config extends JestConfig>(
  config: Config | Promise<Config> | (() => Config | Promise<Config>),
): () => Promise<Config & JestConfig> {
  const folders = [...callingFolders(withFlagdouble), process.cwd()]
  // The list of projects can contain the folder of this configuration.
  let isReadingProjects = false
  return async () => {
    const given = await (typeof config === 'function' ? config() : config)
    const wrapped = await wrap(given, folders)
    if (given.projects === undefined || isReadingProjects) return wrapped
    isReadingProjects = true
    try {
      return { ...wrapped, projects: await wrapProjects(given, given.projects, folders) }
    } finally {
      isReadingProjects = false
    }
  }
}

/** Jest reads each project's own configuration, without the configuration that lists them. */
async function wrapProjects(given: JestConfig, projects: readonly unknown[], folders: readonly string[]) {
  const [folder = ''] = folders
  const read = (entry: unknown) => (typeof entry === 'string' ? readProjects(entry, rootDirOf(given, folder)) : [entry])
  const configs = (await Promise.all(projects.map(read))).flat()
  return Promise.all(configs.map((one) => (isObject(one) ? wrap(one, folders) : one)))
}

async function wrap<Config extends JestConfig>(
  given: Config,
  folders: readonly string[],
): Promise<Config & JestConfig> {
  const rootDirs = [...new Set(folders.map((folder) => rootDirOf(given, folder)))]
  const base: JestConfig = given.preset == null ? {} : await readPreset(given.preset, rootDirs)
  const { transform = base.transform === undefined ? byDefault() : {} } = given
  const { transformIgnorePatterns = base.transformIgnorePatterns ?? IGNORED } = given
  const { testEnvironmentOptions = base.testEnvironmentOptions } = given
  const withOurs = (ours: string, key: 'setupFiles' | 'setupFilesAfterEnv') => {
    const own = given[key] ?? []
    return [...own, ...(base[key] ?? [])].includes(ours) ? own : [ours, ...own]
  }
  return {
    ...given,
    // The first matching pattern wins. Jest adds those of the preset.
    transform: { ...TRANSFORM, ...transform },
    transformIgnorePatterns: transformIgnorePatterns.map(exceptOurs),
    setupFiles: withOurs(SETUP, 'setupFiles'),
    setupFilesAfterEnv: withOurs(FAILURES, 'setupFilesAfterEnv'),
    testEnvironmentOptions: { ...CONDITIONS, ...testEnvironmentOptions },
  }
}
