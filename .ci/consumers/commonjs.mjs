// Checks types like a CommonJS package: `node commonjs.mjs 5.9:node16 …`, with compilers installed as ts5.9. Without
// skipLibCheck, other packages have errors; flagdouble's files must have none. TypeScript before 5.4 can't read hono's
// types.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

for (const pair of process.argv.slice(2)) {
  const [version, module] = pair.split(':')
  const tsc = `node_modules/ts${version}/${version >= 7 ? 'bin/tsc' : 'lib/tsc.js'}`
  const libraries =
    version < 5.4 ? ['--skipLibCheck', '--lib', 'es2022,dom'] : ['--lib', 'es2023,esnext.disposable,dom']
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--types',
    'node,jest,flagdouble/jest',
    '--esModuleInterop',
    '--resolveJsonModule',
    '--module',
    module,
  ]
  const files = ['commonjs/app.ts', 'commonjs/matcher.ts']
  const { status, stdout } = spawnSync('node', [tsc, ...options, ...libraries, ...files], { encoding: 'utf8' })
  assert.ok(status === 0 || /: error TS\d+:/.test(stdout), `TypeScript ${version} did not run: ${stdout}`)
  const ours = stdout.split('\n').filter((line) => /^(commonjs|node_modules\/flagdouble)\/|^error/.test(line))
  assert.deepEqual(ours, [], `TypeScript ${version}, module ${module}`)
  process.stdout.write(`TypeScript ${version}, module ${module}\n`)
}
