// `npm run tarball`: builds and packs the package as flagdouble.tgz, which the examples install and a release publishes.
// `node tools/tarball.js FILE` packs the present build. The packed package.json has no scripts and no development
// dependencies, about which npm warns users. For tools that don't read `exports`, each entry has a folder.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const [file] = process.argv.slice(2)
const { scripts, devDependencies, overrides, ...manifest } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const stage = mkdtempSync(join(tmpdir(), 'flagdouble-tarball-'))
try {
  if (file === undefined) execFileSync(process.execPath, ['tools/build.js'], { cwd: root, stdio: 'inherit' })
  const [{ files }] = JSON.parse(pack(root, '--dry-run', '--json'))
  for (const { path } of files) {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    copyFileSync(join(root, path), join(stage, path))
  }
  const folders = Object.keys(manifest.exports).filter((name) => name !== '.' && manifest.exports[name].require)
  for (const name of folders) {
    const { require, default: module } = manifest.exports[name]
    const at = (path) => relative(name, path)
    mkdirSync(join(stage, name), { recursive: true })
    write(join(name, 'package.json'), {
      main: at(require.default),
      module: at(module),
      types: at(module.replace(/js$/, 'd.ts')),
    })
  }
  write('package.json', { ...manifest, files: [...manifest.files, ...folders.map((name) => name.slice(2))] })
  const [{ filename }] = JSON.parse(pack(stage, '--json'))
  copyFileSync(join(stage, filename), resolve(file ?? join(root, 'flagdouble.tgz')))
} finally {
  rmSync(stage, { recursive: true })
}

function pack(cwd, ...flags) {
  // npm sets the path of its script: on Windows, the command `npm` is a shell script.
  const { npm_execpath: npm } = process.env
  const [command, ...args] = npm === undefined ? ['npm'] : [process.execPath, npm]
  return execFileSync(command, [...args, 'pack', '--ignore-scripts', ...flags], { cwd, encoding: 'utf8' })
}

function write(name, content) {
  writeFileSync(join(stage, name), `${JSON.stringify(content, null, 2)}\n`)
}
