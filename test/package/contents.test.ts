import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/markdown.js'

const dist = join(root, 'dist')
const read = (file: string) => readFileSync(join(dist, file), 'utf8')
const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))

interface Component {
  group?: string
  name: string
  version: string
  purl: string
}

describe('the built package', () => {
  it('has own code with line breaks and indentation, so that a stack trace points to something', () => {
    const own = scripts.map(read).filter((code) => /^\s*\/\/ src\//m.test(code))
    const size = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0)
    expect(size(own)).toBeGreaterThan(size(scripts.map(read)) / 2)
    const lines = own.flatMap((code) => code.split('\n'))
    expect(size(lines.filter((line) => line.length > 400)) / size(lines)).toBeLessThan(0.2)
    expect(lines.filter((line) => /^ {2,}\S/.test(line)).length).toBeGreaterThan(lines.length / 2)
  })

  it('the bill of materials and the licences list all bundled packages', () => {
    const { bomFormat, components } = JSON.parse(read('bundled.cdx.json')) as {
      bomFormat: string
      components: Component[]
    }
    expect(bomFormat).toBe('CycloneDX')
    const named = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
    // Above each module is the file that it comes from; above minified code, the package.
    const paths = scripts.flatMap((file) => [
      ...read(file).matchAll(/^\s*\/\/ .*\bnode_modules\/((?:@[\w-]+\/)?[\w.-]+)\//gm),
    ])
    const bundled = [...new Set(paths.map(([, name = '']) => name))]
    expect(bundled.length).toBeGreaterThan(10)
    // The command line has no comments; it alone contains commander.
    expect(named).toEqual(expect.arrayContaining([...bundled, 'commander']))
    const licences = read('third-party-licenses.txt')
    for (const [i, { version, purl }] of components.entries()) {
      expect(licences).toContain(`\n${named[i]} ${version} (`)
      expect(purl).toBe(`pkg:npm/${named[i]?.replace('@', '%40')}@${version}`)
    }
  })

  it('has a whole licence of each bundled package, with its notice', () => {
    const [, ...licences] = read('third-party-licenses.txt').split(/^(?=[@\w/-]+ [\d.]+ \([\w.-]+\)$)/m)
    expect(licences.length).toBeGreaterThan(10)
    for (const licence of licences) {
      expect(licence).toMatch(/^Copyright |\(c\)/im)
      expect(licence).toMatch(/without restriction|with or without/)
    }
    expect(licences.find((licence) => licence.startsWith('rfc6902 '))).toMatch(/^Copyright .*Christopher Brown/m)
  })
})

describe('in CommonJS', () => {
  const program = `
    const { createMock } = require('flagdouble')
    const { createHandlers } = require('flagdouble/msw')
    if (createHandlers(createMock()).length > 100) console.log('loaded', Object.keys(require('flagdouble/jest')))`
  const run = (...flags: string[]) =>
    spawnSync(process.execPath, [...flags, '-e', program], { cwd: root, encoding: 'utf8' })

  it('require() loads the entries', () => {
    const { stdout, stderr } = run()
    expect(stderr).toBe('')
    expect(stdout).toContain("loaded [ '__esModule', 'default', 'withFlagdouble' ]")
  })

  it('a Node that cannot require an ES module says so in one line', () => {
    expect(run('--no-experimental-require-module').stderr).toContain(
      'flagdouble is an ES module. To require it, use Node 20.19, 22.12 or later.',
    )
  })

  it('in Jest, the message says which setting to change, and what to move', () => {
    const env = { ...process.env, JEST_WORKER_ID: '1' }
    const flags = ['--no-experimental-require-module', '-e', program]
    const { stderr } = spawnSync(process.execPath, flags, { cwd: root, encoding: 'utf8', env })
    expect(stderr).toContain("Without its own `transform`, it needs only `preset: 'flagdouble/jest'`.")
    expect(stderr).toContain('move the value of "jest" to jest.config.js, and wrap it there.')
  })
})
