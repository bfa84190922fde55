/**
 * Jest with CommonJS, where `require('flagdouble')` and msw need compiled ES modules: `preset: 'flagdouble/jest'`.
 *
 * @module
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The relevant parts of Jest's configuration. */
export interface JestConfig {
  preset?: string | null | undefined
  // biome-ignore lint/suspicious/noExplicitAny: whatever Jest's own type has for the options of a transformer
  transform?: Record<string, any> | undefined
  transformIgnorePatterns?: string[] | undefined
  setupFiles?: string[] | undefined
  setupFilesAfterEnv?: string[] | undefined
  testEnvironmentOptions?: Record<string, unknown> | undefined
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

const NAMES = `(${PACKAGES.join('|')})`

/** All of `node_modules` except these packages, including pnpm's folders. */
const IGNORED = `/node_modules/(?!(\\.pnpm/[^/]+/node_modules/)?${NAMES}/)`

const TRANSFORM = { [`/node_modules/${NAMES}/.+\\.m?js$`]: 'flagdouble/jest/transform' }
const SETUP = 'flagdouble/jest/setup'
const FAILURES = 'flagdouble/jest/failures'

/** Loads Node's version of packages even in an imitation of a browser: msw has no other. */
const CONDITIONS = { customExportConditions: ['node', 'node-addons'] }

const preset = {
  transform: { ...TRANSFORM, '\\.[jt]sx?$': babelJest() },
  transformIgnorePatterns: [IGNORED, '\\.pnp\\.[^\\/]+$'],
  setupFiles: [SETUP],
  setupFilesAfterEnv: [FAILURES],
  testEnvironmentOptions: CONDITIONS,
}

export default preset

/**
 * Adds to a configuration what the preset contains: for projects with their own preset or `transformIgnorePatterns`. Accepts any export of a Jest configuration file, including the function that `next/jest` creates.
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
  return async () => {
    const given = await (typeof config === 'function' ? config() : config)
    const {
      transform,
      transformIgnorePatterns = preset.transformIgnorePatterns,
      setupFiles = [],
      setupFilesAfterEnv = [],
    } = given
    const byDefault = given.preset == null ? preset.transform : {}
    return {
      ...given,
      // The first matching pattern wins.
      transform: { ...TRANSFORM, ...(transform ?? byDefault) },
      transformIgnorePatterns: [IGNORED, ...transformIgnorePatterns.filter((pattern) => !/node_modules/.test(pattern))],
      setupFiles: [SETUP, ...setupFiles],
      setupFilesAfterEnv: [FAILURES, ...setupFilesAfterEnv],
      testEnvironmentOptions: { ...CONDITIONS, ...given.testEnvironmentOptions },
    }
  }
}

/** Jest's own transformer, which package managers can hide. */
function babelJest(): string {
  try {
    const through = ['jest', 'jest-cli', 'jest-config'].reduce(
      (from, name) => createRequire(from).resolve(`${name}/package.json`),
      join(process.cwd(), 'jest.config.js'),
    )
    return createRequire(through).resolve('babel-jest')
  } catch {
    return 'babel-jest'
  }
}
