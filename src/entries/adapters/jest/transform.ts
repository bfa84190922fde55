import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { attempt } from '../../../support/errors.js'
import { version } from '../../../version.js'

/** Compiles an ES module. */
type Compile = (source: string, file: string) => string

function swcOf(module: string): (require: NodeJS.Require) => Compile {
  return (require) => {
    const { transformSync } = require(module)
    const jsc = { parser: { syntax: 'ecmascript' }, target: 'es2022' }
    const options = { jsc, module: { type: 'commonjs' }, swcrc: false, configFile: false }
    return (source, filename) => transformSync(source, { ...options, filename }).code
  }
}

/**
 * Babel with the plugin of a preset. It translates only the modules, because Node knows the rest and a whole preset takes
 * much longer. The plugin also translates later imports for a file with this mark, which presets set.
 */
function babelOf(preset: string): (require: NodeJS.Require) => Compile {
  return (require) => {
    const { transformSync } = require('@babel/core')
    const { resolve } = createRequire(require.resolve(preset))
    const laterImports = {
      pre(this: { file: Map<string, unknown> }) {
        this.file.set('@babel/plugin-proposal-dynamic-import', true)
      },
    }
    const plugins = [() => laterImports, resolve('@babel/plugin-transform-modules-commonjs')]
    const options = { plugins, configFile: false, babelrc: false, compact: true }
    return (source, filename) => transformSync(source, { ...options, filename }).code
  }
}

/** The settings that make each compiler write CommonJS, including later imports. */
const COMPILERS: Record<string, (require: NodeJS.Require) => Compile> = {
  '@swc/core': swcOf('@swc/core'),
  '@babel/preset-env': babelOf('@babel/preset-env'),
  '@react-native/babel-preset': babelOf('@react-native/babel-preset'),
  'babel-preset-expo': babelOf('babel-preset-expo'),
  esbuild: (require) => {
    const { transformSync } = require('esbuild')
    const supported = { 'dynamic-import': false }
    const options = { format: 'cjs', platform: 'node', target: 'es2022', supported }
    return (source, sourcefile) => transformSync(source, { ...options, sourcefile }).code
  },
  typescript: (require) => {
    const { transpileModule, ModuleKind, ScriptTarget } = require('typescript')
    if (transpileModule === undefined) throw new Error('TypeScript 7 has no such function.')
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true }
    // TypeScript leaves a file named `.mjs` an ES module, with any settings.
    const nameOf = (file: string) => file.replace(/\.mjs$/, '.js')
    return (source, file) => transpileModule(source, { fileName: nameOf(file), compilerOptions }).outputText
  },
  next: swcOf('next/dist/build/swc'),
}

const found = new Map<string, Compile>()

function compilerFor(rootDir: string): Compile {
  const known = found.get(rootDir)
  if (known !== undefined) return known
  const require = createRequire(join(rootDir, 'jest.config.js'))
  for (const create of Object.values(COMPILERS)) {
    const compile = attempt(() => create(require))
    if (compile === undefined) continue
    found.set(rootDir, compile)
    return compile
  }
  throw new Error(
    `flagdouble/jest compiles ES modules with a compiler of the project, but ${rootDir} has none of ` +
      `${Object.keys(COMPILERS).join(', ')}. Install one: npm install --save-dev @swc/core`,
  )
}

interface TransformOptions {
  config: { rootDir: string }
  configString: string
  /** Whether Jest loads this file as an ES module. */
  supportsStaticESM: boolean
}

/** Jest's transformer for the ES modules among the packages; it leaves CommonJS unchanged. */
export default {
  /** Another version of flagdouble can compile differently, so it must not use this version's cache. */
  getCacheKey(
    source: string,
    file: string,
    { configString, supportsStaticESM }: Omit<TransformOptions, 'config'>,
  ): string {
    const hash = createHash('sha256')
    for (const part of [version, file, configString, String(supportsStaticESM), source]) hash.update(part).update('\0')
    return hash.digest('hex')
  },
  process(
    source: string,
    file: string,
    options: Pick<TransformOptions, 'config' | 'supportsStaticESM'>,
  ): { code: string } {
    const isModule = file.endsWith('.mjs') || /(^|[;}])[ \t]*(import|export)\b/m.test(source)
    if (!isModule || options.supportsStaticESM) return { code: source }
    // The compilers leave `import.meta` unchanged, but CommonJS lacks it.
    const address = "require('node:url').pathToFileURL(__filename).href"
    return { code: compilerFor(options.config.rootDir)(source.replaceAll('import.meta.url', address), file) }
  },
}
