import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The built command line; made anew unless it is newer than all that it is made from. */
export function buildCli(): string {
  const built = join(root, 'dist', 'cli.js')
  const sources = ['src', 'scenarios', 'fixtures', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const newest = Math.max(...[...sources, 'package.json'].map((file) => statSync(join(root, file)).mtimeMs))
  if (existsSync(built) && statSync(built).mtimeMs > newest) return built
  execFileSync(process.execPath, ['tools/build.js', '--no-types'], { cwd: root, stdio: 'inherit' })
  return built
}
