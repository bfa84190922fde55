import { lstatSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnyFunction, attempt } from '../../../support/errors.js'

/** The folders of the files that call a function, the outermost first. Jest doesn't tell a configuration where its file is. */
export function callingFolders(called: AnyFunction): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: unknown } = {}
  try {
    Error.stackTraceLimit = Number.POSITIVE_INFINITY
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '')
    Error.captureStackTrace(holder, called)
    const files = (holder.stack as string[]).map((file) => (file.startsWith('file:') ? fileURLToPath(file) : file))
    const own = files.filter((file) => isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file))
    return [...new Set(own.reverse().map((file) => resolve(file, '..')))]
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  }
}

/** The root of a configuration that is in a folder. */
export function rootDirOf({ rootDir = '.' }: { rootDir?: string | undefined }, folder: string): string {
  return resolve(
    folder,
    rootDir.replace(/^<rootDir>/, () => folder),
  )
}

const PRESET_EXTENSIONS = ['', '.json', '.js', '.cjs', '.mjs']

/** Reads a preset as Jest does, from the first folder that has it. */
export async function readPreset(preset: string, rootDirs: readonly string[]): Promise<object> {
  for (const rootDir of rootDirs) {
    const path = preset.replace(/^<rootDir>/, () => rootDir)
    const name = path.startsWith('.') || isAbsolute(path) ? path : `${path}/jest-preset`
    const require = createRequire(join(rootDir, 'jest.config.js'))
    for (const extension of PRESET_EXTENSIONS) {
      const file = attempt(() => require.resolve(name + extension))
      if (file === undefined) continue
      const exported = require(file)
      return exported.__esModule ? exported.default : exported
    }
  }
  throw new Error(
    `withFlagdouble can't find the preset "${preset}" from ${rootDirs.join(' or ')}. Set rootDir to the folder of the configuration.`,
  )
}

const CONFIG_FILE = /\.(?:[cm]?[jt]s|json)$/

/** Reads the configurations that an entry of `projects` stands for, as Jest does: a folder, a file, or a pattern of them. */
export async function readProjects(entry: string, rootDir: string): Promise<unknown[]> {
  const { readInitialOptions, require } = runningJest() ?? {}
  // Jest before 28 can't read them: each project wraps its own configuration.
  if (readInitialOptions === undefined) return [entry]
  const pattern = entry.replace(/^<rootDir>/, () => rootDir)
  const found: string[] = require('glob').sync(pattern, { windowsPathsNoEscape: true })
  const isOther = (path: string) => lstatSync(path).isFile() && !CONFIG_FILE.test(path)
  const paths = found.length === 0 ? [pattern] : found.filter((path) => !isOther(path))
  const read = async (packageRootOrConfig: string) => {
    const options = { packageRootOrConfig, readFromCwd: true, skipMultipleConfigError: true }
    return (await readInitialOptions(undefined, options)).config
  }
  return Promise.all(paths.map(read))
}

/** Jest's own transformer. */
export function babelJest(): string {
  return attempt(() => runningJest()?.require.resolve('babel-jest')) ?? 'babel-jest'
}

/** The part of the running Jest that reads configurations, with its own packages: package managers can hide them. */
function runningJest() {
  const { cache } = createRequire(import.meta.url)
  const file = Object.keys(cache).find((path) => /[\\/]jest-config[\\/]build[\\/]index\.js$/.test(path))
  return file === undefined ? undefined : { ...cache[file]?.exports, require: createRequire(file) }
}
