// `npm run tarball`: packs the package as flagdouble.tgz, which the examples install.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// npm sets the path of its script: on Windows, the command `npm` is a shell script.
execFileSync(process.execPath, [process.env.npm_execpath, 'pack', '--silent'], { cwd: root, stdio: 'inherit' })
renameSync(join(root, `${name}-${version}.tgz`), join(root, `${name}.tgz`))
