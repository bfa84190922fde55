import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHostPolicy } from '../src/entries/adapters/node/listener.js'
import { root } from './support/markdown.js'

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const HEADER = /^\| promise \| test \|$|^\|-/
const PROMISE = /^\| (?<promise>.+) \| `(?<file>test\/\S+)`: "(?<name>.+)" \|$/

const rows = text.split('\n').filter((line) => line.startsWith('|') && !HEADER.test(line))

/** Names for networks and clusters that don't exist in the public DNS. */
const NETWORKS = [
  'internal',
  'local',
  'lan',
  'home.arpa',
  'test',
  'localhost',
  'svc',
  'cluster.local',
  'default',
  'consul',
]

describe('SECURITY.md', () => {
  it('makes promises', () => {
    expect(rows.length).toBeGreaterThan(20)
  })

  it.each(rows)('names a test that exists for each promise: %s', (row) => {
    const { file = '', name = '' } = PROMISE.exec(row)?.groups ?? {}
    expect(file, 'a promise ends with its test: `test/x.test.ts`: "name"').not.toBe('')
    expect(existsSync(join(root, file)), `${file} exists`).toBe(true)
    expect(namesOfTests(readFileSync(join(root, file), 'utf8'))).toContain(name)
  })

  it.each([
    ['SECURITY.md', /a name without a dot .*?\. DNS/s],
    ['docs/replace-unleash.md', /Names that can't exist in the public DNS work without it: .*?\. /s],
  ])('the names of hosts that %s lists are allowed, and no others', (page, sentence) => {
    const [list = ''] = sentence.exec(readFileSync(join(root, page), 'utf8')) ?? []
    const named = [...list.matchAll(/`\.([a-z.]+)`/g)].map(([, suffix = '']) => suffix)
    const isAllowed = createHostPolicy('127.0.0.1', [])
    const suffixes = [
      ...NETWORKS,
      'com',
      'dev',
      'app',
      'io',
      'home',
      'corp',
      'example',
      'onion',
      'localdomain',
      'intranet',
    ]
    expect(named.filter((suffix) => !isAllowed(`flags.example.${suffix}`))).toEqual([])
    expect(suffixes.filter((suffix) => isAllowed(`flags.example.${suffix}`) && !named.includes(suffix))).toEqual([])
  })
})

/** The names in `it('…'` and `it.each(…)('…'`. */
function namesOfTests(source: string): string[] {
  const names = source.matchAll(/(?:\bit|\)|\]\))\(\s*(['"])(?<name>(?:(?!\1).)+)\1,\s*(?:async )?\(/g)
  return [...names].map(({ groups }) => groups?.name ?? '')
}
