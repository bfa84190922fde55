// The package's files for CommonJS: next to each entry, a file that requires it, and its declarations.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NEEDED = 'flagdouble is an ES module. To require it, use Node 20.19, 22.12 or later.'

const IN_JEST = `flagdouble is an ES module, and this Jest configuration doesn't compile it.
- Without its own \`transform\`, it needs only \`preset: 'flagdouble/jest'\`.
- Otherwise, wrap it in jest.config.js: module.exports = require('flagdouble/jest').withFlagdouble({ ... })
- If it is in package.json, move the value of "jest" to jest.config.js, and wrap it there.`

/**
 * Node can require an ES module since 20.19 and 22.12. Jest's error has the same code: its configuration doesn't compile
 * flagdouble's files, or a pattern of the project precedes the preset's.
 */
const LOAD = `module.exports = (load) => {
  try {
    return load()
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error
    const text = process.env.JEST_WORKER_ID === undefined ? ${JSON.stringify(NEEDED)} : ${JSON.stringify(IN_JEST)}
    throw Object.assign(new Error(text), { code: error.code, stack: text })
  }
}
`

/** TypeScript before 5.8 doesn't know that Node can require an ES module, and `node10` ignores `exports`. */
const IGNORE = '// @ts-ignore\n'

export function writeCommonJs(outdir, names) {
  writeFileSync(join(outdir, 'load.cjs'), LOAD)
  for (const name of names) {
    writeFileSync(
      join(outdir, `${name}.cjs`),
      `module.exports = require('./load.cjs')(() => require('./${name}.js'))\n`,
    )
  }
}

/** msw has other types for CommonJS, so declarations that use them are written twice. */
export function declareCommonJs(outdir, names) {
  for (const file of readdirSync(join(outdir, 'chunks')).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(outdir, 'chunks', file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^(?=import .* from "@msw\/data")/m, IGNORE))
  }
  for (const name of names) {
    const text = readFileSync(join(outdir, `${name}.d.ts`), 'utf8')
    const forwards = ['*', ...(/\bas default\b/.test(text) ? ['{ default }'] : [])]
    const short = forwards.map((what) => `${IGNORE}export ${what} from './${name}.js'\n`).join('')
    const copy = text.replaceAll(/^(?=import .* from "\.)/gm, IGNORE)
    writeFileSync(join(outdir, `${name}.d.cts`), /from "msw/.test(text) ? copy : short)
  }
}
