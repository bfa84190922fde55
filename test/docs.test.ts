import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages } from '../docs/generate.js'
import { mockErrors } from '../src/contract/mock-errors.js'
import { createMock } from '../src/index.js'
import { runCli } from './support/cli.js'
import { root, snippets, pages as writtenPages } from './support/markdown.js'

/** Names of the same form that are the service's own. */
const PERMISSIONS = ['CREATE_FEATURE', 'CREATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS']

describe('generated pages are up to date (npm run docs)', () => {
  it.each(pages(root))('$path is up to date', ({ path, text }) => {
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

  it.each(files)('the links of %s lead somewhere', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
    const missing = targets.filter((target) => !existsSync(join(root, dirname(file), target)))
    expect(missing).toEqual([])
  })

  it.each(files)('links to headings lead somewhere: %s', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]*)\)/g)]
    const missing = targets.filter(([, path = '', anchor = '']) => {
      const page = path === '' ? file : join(dirname(file), path)
      return !anchorsOf(readFileSync(join(root, page), 'utf8')).includes(anchor)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})

/** The anchors that GitHub makes of headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  return headings.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

describe('names in the documentation exist', () => {
  const written = writtenPages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const spans = [...written.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

  it('the documentation names only flags that exist', async () => {
    const cli = runCli(['start', '--help'])
    await cli.done
    const named = spans
      .filter((span) => /^(npx )?(flagdouble )?--/.test(span))
      .flatMap((span) => span.match(/--[a-z-]+/g) ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((flag) => !cli.stdout().includes(` ${flag}`))).toEqual([])
  })

  it('the README lists exactly the options of createMock', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [table = ''] = /^\| option \|[\s\S]*?\n\n/m.exec(readme) ?? []
    const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    const refuse = () => createMock({ option: 'unknown' } as never)
    expect(refuse).toThrow(expect.objectContaining({ hint: `The options are ${named.join(', ')}.` }))
  })

  it('the documentation names only error codes that exist', () => {
    const named = spans.filter((span) => /^[A-Z]+(_[A-Z]+)+$/.test(span) && !span.startsWith('FLAGDOUBLE_'))
    const known = [...Object.keys(mockErrors), ...PERMISSIONS]
    expect(named.filter((code) => !known.includes(code))).toEqual([])
  })

  it('the README lists only folders and files that exist', () => {
    const tree = snippets.find(({ heading }) => heading === 'Where things are')?.code ?? ''
    const top = tree.match(/\b[a-z]+\/(?= )/g) ?? []
    const below = tree.match(/^ {2}[\w.-]+\/?|(?<= {4})[\w-]+\.ts|(?<= {4})[a-z]+\/(?= )/gm) ?? []
    expect([...top, ...below].length).toBeGreaterThan(15)
    const missing = [...top, ...below].filter(
      (name) => !['', 'src', 'test'].some((folder) => existsSync(join(root, folder, name.trim()))),
    )
    expect(missing).toEqual([])
  })
})
