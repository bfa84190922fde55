import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/markdown.js'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  optionalDependencies?: Record<string, string>
}

describe.each(['package-lock.json', 'bench/package-lock.json'])('%s', (file) => {
  const { packages } = JSON.parse(read(file)) as { packages: Record<string, Locked> }
  const entries = Object.entries(packages)

  it('locks the packages of every platform, not only of the one where it was written', () => {
    const optional = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [path, name] as const),
    )
    expect(optional).not.toEqual([])
    expect(optional.filter(([path, name]) => find(packages, path, name) === undefined)).toEqual([])
  })

  it('says what each package must contain, and not from where it comes', () => {
    const installed = entries.filter(([path]) => path.includes('node_modules/'))
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })
})

it.each(['.ci/run', 'Dockerfile'])('%s installs from the lock file', (file) => {
  expect(existsSync(join(root, file))).toBe(true)
  expect(read(file)).toMatch(/\bnpm ci\b/)
  expect(read(file)).not.toMatch(/(?:^|&& |RUN )npm install\b(?! --prefer-offline)/m)
})

/** What a package gets when it imports another one, as Node finds it: from its own folder upwards. */
function find(packages: Record<string, Locked>, from: string, name: string): Locked | undefined {
  const found = packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`]
  if (found !== undefined || from === '') return found
  return find(packages, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
}
