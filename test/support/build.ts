import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The built command line. */
export const cli = join(root, 'dist', 'cli.js')

/** What the build writes last: code, then types. */
const built = [cli, join(root, 'dist', 'index.d.ts')]

/** Before the tests of the package: builds it, unless it is newer than everything that it is built from. */
export default function buildIfStale(): void {
  const sources = ['src', 'scenarios', 'fixtures', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const inputs = [...sources, 'package.json', 'tsconfig.json']
  const newest = Math.max(...inputs.map((file) => statSync(join(root, file)).mtimeMs))
  if (built.every((file) => existsSync(file) && statSync(file).mtimeMs > newest)) return
  execFileSync(process.execPath, ['tools/build.js'], { cwd: root, stdio: 'inherit' })
}
