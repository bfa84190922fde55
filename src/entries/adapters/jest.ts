/**
 * Jest with CommonJS, where `require('flagdouble')` and msw need ES modules to be compiled: `preset: 'flagdouble/jest'`.
 *
 * @module
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The parts of Jest's configuration that matter here. */
export interface JestConfig {
  preset?: string | null | undefined
  // biome-ignore lint/suspicious/noExplicitAny: whatever Jest's own type has for the options of a transformer
  transform?: Record<string, any> | undefined
  transformIgnorePatterns?: string[] | undefined
  setupFiles?: string[] | undefined
  setupFilesAfterEnv?: string[] | undefined
  testEnvironmentOptions?: Record<string, unknown> | undefined
}

/** What flagdouble and msw (2 and 3) need that is published as ES modules, as far as a test can load it. */
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

/** All of `node_modules` but these packages, also where pnpm puts them. */
const IGNORED = `/node_modules/(?!(\\.pnpm/[^/]+/node_modules/)?${NAMES}/)`

const TRANSFORM = { [`/node_modules/${NAMES}/.+\\.m?js$`]: 'flagdouble/jest/transform' }
const SETUP = 'flagdouble/jest/setup'
const FAILURES = 'flagdouble/jest/failures'

/** In an imitation of a browser, too, packages come as they are for Node: msw has nothing else. */
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
 * Adds to a configuration what the preset contains: for those who have a preset or `transformIgnorePatterns` of their own.
 * Takes what a configuration file of Jest can export, also the function that `next/jest` creates.
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
      // The first pattern that matches wins.
      transform: { ...TRANSFORM, ...(transform ?? byDefault) },
      transformIgnorePatterns: [IGNORED, ...transformIgnorePatterns.filter((pattern) => !/node_modules/.test(pattern))],
      setupFiles: [SETUP, ...setupFiles],
      setupFilesAfterEnv: [FAILURES, ...setupFilesAfterEnv],
      testEnvironmentOptions: { ...CONDITIONS, ...given.testEnvironmentOptions },
    }
  }
}

/** Jest's own transformer, which Jest brings along but package managers may hide. */
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
