import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The built command line. */
export const cli = join(root, 'dist', 'cli.js')

/** The build's last files: code, then types. */
const built = [cli, join(root, 'dist', 'index.d.ts')]

/** Before the package tests: builds the package, unless it is newer than all its sources. */
export default function buildIfStale(): void {
  const sources = ['src', 'scenarios', 'fixtures', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const inputs = [...sources, 'package.json', 'tsconfig.json']
  const newest = Math.max(...inputs.map((file) => statSync(join(root, file)).mtimeMs))
  if (built.every((file) => existsSync(file) && statSync(file).mtimeMs > newest)) return
  execFileSync(process.execPath, ['tools/build.js'], { cwd: root, stdio: 'inherit' })
}
