import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/markdown.js'

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const HEADER = /^\| promise \| test \|$|^\|-/
const PROMISE = /^\| (?<promise>.+) \| `(?<file>test\/\S+)`: "(?<name>.+)" \|$/

const rows = text.split('\n').filter((line) => line.startsWith('|') && !HEADER.test(line))

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
})

/** The names in `it('…'` and `it.each(…)('…'`. */
function namesOfTests(source: string): string[] {
  const names = source.matchAll(/(?:\bit|\)|\]\))\(\s*(['"])(?<name>(?:(?!\1).)+)\1,\s*(?:async )?\(/g)
  return [...names].map(({ groups }) => groups?.name ?? '')
}
