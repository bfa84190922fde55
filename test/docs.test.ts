import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages } from '../docs/generate.js'

const root = join(import.meta.dirname, '..')

describe('pages made from the tables are in step with them (npm run docs)', () => {
  it.each(pages(root))('$path', ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  })
})

describe('links lead somewhere', () => {
  const folders = ['.', 'docs', 'decisions', 'examples', 'bench']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  )

  it.each(files)('%s', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
    const missing = targets.filter((target) => !existsSync(join(root, dirname(file), target)))
    expect(missing).toEqual([])
  })
})
