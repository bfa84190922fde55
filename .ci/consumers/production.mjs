// Builds an app for production with Vite, webpack and Rsbuild. The result must not contain flagdouble, as docs/qa.md promises.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createRsbuild } from '@rsbuild/core'
import { build } from 'vite'
import webpack from 'webpack'

const app = (condition) => `if (${condition}) {
  const { startWorker } = await import('flagdouble/browser')
  await startWorker({ badge: true, panel: true })
}
document.body.append('The app')
`

function put(name, condition) {
  const folder = resolve('production', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'app.js'), app(condition))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><body><script type="module" src="/app.js"></script>')
  return folder
}

function assertClean(name, folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map((file) => readFileSync(join(file.parentPath ?? file.path, file.name), 'utf8'))
  assert.ok(
    texts.some((text) => text.includes('The app')),
    `${name} built nothing`,
  )
  assert.ok(!texts.some((text) => /flagdouble|startWorker|mockServiceWorker/.test(text)), `${name} ships flagdouble`)
  process.stdout.write(`${name}: ${files.length} files without flagdouble\n`)
}

const vite = put('vite', 'import.meta.env.DEV')
await build({ root: vite, configFile: false, logLevel: 'error', build: { target: 'es2022' } })
assertClean('Vite', join(vite, 'dist'))

const development = "process.env.NODE_ENV === 'development'"
const packed = put('webpack', development)
const stats = await new Promise((done, fail) => {
  const output = { path: join(packed, 'dist'), filename: '[name].js' }
  webpack({ mode: 'production', context: packed, entry: './app.js', output }, (error, result) =>
    error ? fail(error) : done(result),
  )
})
assert.ok(!stats.hasErrors(), stats.toString('errors-only'))
assertClean('webpack', join(packed, 'dist'))

process.env.NODE_ENV = 'production'
const rsbuild = put('rsbuild', development)
const config = { source: { entry: { index: './app.js' } }, output: { distPath: { root: 'dist' } } }
await (await createRsbuild({ cwd: rsbuild, config })).build()
assertClean('Rsbuild', join(rsbuild, 'dist'))
