import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { pages } from '../docs/generate.js'
import { limitsTable } from '../docs/limits.js'
import { siteTexts } from '../docs/llms.js'
import { scenarios } from '../scenarios/index.js'
import { mockErrors } from '../src/engine/errors/mock-errors.js'
import { serviceVariables } from '../src/entries/cli/service-variables.js'
import { createMock } from '../src/index.js'
import { knownOperators } from '../src/service/evaluation/constraints.js'
import { runCli } from './support/cli.js'
import { root, snippets, pages as writtenPages } from './support/markdown.js'

/** Unleash's names that look like error codes. */
const PERMISSIONS = ['CREATE_FEATURE', 'CREATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS']

describe('generated pages are up to date (npm run docs)', () => {
  it.each(pages(root))('$path is up to date', ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  })
})

it('each limit in docs/limits.ts has a test that names its constant', () => {
  const [, rows = ''] = readFileSync(join(root, 'docs/limits.ts'), 'utf8').split('const rows')
  const limits = [...rows.matchAll(/(?<=^ +|, )([A-Z]+(?:_[A-Z]+)+|profiles\.[\w.]+),/gm)].map(([, name = '']) => name)
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const tests = files
    .filter((file) => /\.(test|browser)\.ts$/.test(file))
    .map((file) => readFileSync(join(root, 'test', file), 'utf8'))
  const isNamed = (name: string) =>
    tests.some((text) => new RegExp(`^(?!import|} from).*\\b${name}\\b`, 'm').test(text))
  expect(limits).toHaveLength(limitsTable.trim().split('\n').length - 2)
  expect(limits.filter((name) => !isNamed(name))).toEqual([])
})

const markdownFiles = ['.', 'docs', 'decisions', 'examples', 'bench', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md') || file === 'llms.txt')
    .map((file) => join(folder, file)),
)

describe('relative links lead to files and headings that exist', () => {
  it.each(markdownFiles)('the links of %s lead to files that exist', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
    const missing = targets.filter((target) => !existsSync(join(root, dirname(file), target)))
    expect(missing).toEqual([])
  })

  it.each(markdownFiles)('the links of %s lead to headings that exist', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]*)\)/g)]
    const missing = targets.filter(([, path = '', anchor = '']) => {
      const page = path === '' ? file : join(dirname(file), path)
      return !anchorsOf(readFileSync(join(root, page), 'utf8')).includes(anchor)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})

it('links in packed pages lead only to packed pages', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
  const patterns = [...files, 'README.md', 'LICENSE'].map(patternOf)
  const isPacked = (path: string) => patterns.some((pattern) => pattern.test(path) || pattern.test(`${path}/any.md`))
  const packed = markdownFiles.filter(isPacked)
  expect(packed).toEqual(expect.arrayContaining([join('docs', 'llms.txt'), 'AGENTS.md']))
  const links = packed.flatMap(linksOf)
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter(({ target }) => !isPacked(target))).toEqual([])
})

/** An entry of `files` in package.json as a regular expression: a file, a folder, or a pattern such as `docs/*.md`. */
function patternOf(entry: string): RegExp {
  return new RegExp(`^${entry.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`)
}

it('each YAML block is well-formed', () => {
  const blocks = snippets.filter(({ language }) => language === 'yaml')
  const wrong = blocks.flatMap(({ page, code }) =>
    parseAllDocuments(code).flatMap(({ errors, warnings }) =>
      [...errors, ...warnings].map((one) => [page, one.message]),
    ),
  )
  expect(blocks.map(({ page }) => page)).toContain('docs/ci.md')
  expect(wrong).toEqual([])
})

/** The relative links of a page to files. Images are left out, because they are too heavy for the package. */
function linksOf(page: string): { page: string; target: string }[] {
  const text = readFileSync(join(root, page), 'utf8')
  const targets = [...text.matchAll(/(?<!!\[[^\]]*)\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target)
  return targets.map((target) => ({ page, target: join(dirname(page), target) }))
}

it('a line that installs packages has each package that the next code on its page imports', () => {
  const lines = snippets.flatMap(({ page, code }, i) => {
    const [, installed] = /^npm install --save-dev (.+)$/m.exec(code) ?? []
    const next = snippets.slice(i).find(({ language }) => language === 'ts' || language === 'js')
    if (installed === undefined || next?.page !== page) return []
    const packages = installed.split(' ').map((name) => name.replace(/^.*flagdouble\.tgz|@\d+$/g, '') || 'flagdouble')
    const imported = [...next.code.matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g)].map(([, name = '']) => name)
    return [{ page, missing: imported.filter((name) => !name.startsWith('node:') && !packages.includes(name)) }]
  })
  expect(lines.map(({ page }) => page)).toEqual(expect.arrayContaining(['README.md', 'docs/vitest.md']))
  expect(lines.filter(({ missing }) => missing.length > 0)).toEqual([])
})

describe('the files for coding assistants', () => {
  const [list, everything] = siteTexts(root)

  it('llms.txt lists each page of the documentation, with a line about it', () => {
    const lines = readFileSync(join(root, 'docs/llms.txt'), 'utf8').match(/^- .*/gm) ?? []
    const listed = lines.map((line) => /^- \[[^\]]+\]\(([\w-]+\.md)\): \S/.exec(line)?.[1])
    const written = readdirSync(join(root, 'docs')).filter((file) => /^(?!README).*\.md$/.test(file))
    expect(listed.toSorted()).toEqual(written)
  })

  it('the site has the same list with its own URLs, and each page once in one text', () => {
    expect(list?.text).toContain('](docs/vitest.md): ')
    expect(list?.text).toContain('](llms-full.txt)')
    const titles = writtenPages
      .filter((page) => /^docs\/(?!README)/.test(page))
      .map((page) => readFileSync(join(root, page), 'utf8').split('\n')[0])
    expect(titles.length).toBeGreaterThan(20)
    const lines = everything?.text.split('\n') ?? []
    expect(titles.filter((title) => lines.filter((line) => line === title).length !== 1)).toEqual([])
  })

  it('AGENTS.md is an index of at most 9 kB that names each page and each scenario', () => {
    const notes = readFileSync(join(root, 'AGENTS.md'), 'utf8')
    expect(Buffer.byteLength(notes)).toBeLessThanOrEqual(9216)
    const written = readdirSync(join(root, 'docs')).filter((file) => /^(?!README).*\.md$/.test(file))
    expect(written.filter((file) => !notes.includes(`- ${file}: `))).toEqual([])
    expect([...notes.matchAll(/[\w-]+\.md/g)].filter(([file]) => !written.includes(file))).toEqual([])
    expect(scenarios.filter(({ name }) => !notes.includes(`\`${name}\``))).toEqual([])
  })
})

/** The anchors that GitHub generates for headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  return headings.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documentation names only what exists', () => {
  const written = writtenPages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const spans = [...written.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

  it('the documentation names only flags that exist', async () => {
    const commands = [['help'], ...['start', 'exec', 'pull', 'export'].map((command) => [command, '--help'])]
    const helps = commands.map((args) => runCli(args))
    await Promise.all(helps.map(({ done }) => done))
    const help = helps.map(({ stdout }) => stdout()).join('')
    const named = spans
      .filter((span) => /^(npx )?(flagdouble )?--/.test(span))
      .flatMap((span) => span.match(/--[a-z-]+/g) ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((flag) => !help.includes(` ${flag}`))).toEqual([])
  })

  it('the documentation lists exactly the options of createMock', () => {
    const page = readFileSync(join(root, 'docs/create-mock.md'), 'utf8')
    const [table = ''] = /^\| option \|[\s\S]*?\n\n/m.exec(page) ?? []
    const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    const refuse = () => createMock({ option: 'unknown' } as never)
    expect(refuse).toThrow(expect.objectContaining({ hint: `The options are ${named.join(', ')}.` }))
  })

  it('each entry of the package has a section, apart from the modules of the preset for Jest', () => {
    const { exports, name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const entries = Object.keys(exports).filter((entry) => !/^\.\/(jest\/(?!reporter)|package\.json)/.test(entry))
    const page = readFileSync(join(root, 'docs/entry-points.md'), 'utf8')
    const sections = [...page.matchAll(/^## `(.+)`$/gm)].map(([, section]) => section)
    expect(sections.toSorted()).toEqual(entries.map((entry) => entry.replace('.', name)).toSorted())
  })

  it('the documentation names exactly the members of a mock', () => {
    const page = readFileSync(join(root, 'docs/create-mock.md'), 'utf8')
    const [table = ''] = /^\| member \|[\s\S]*?\n\n/m.exec(page) ?? []
    const cells = [...table.matchAll(/^\| (`.+?) \|/gm)].map(([, cell = '']) => cell)
    const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name))
    expect(named.toSorted()).toEqual([...membersOf(createMock())].toSorted())
  })

  it('the documentation names only error codes that exist', () => {
    const named = spans
      .filter((span) => /^[A-Z]+(_[A-Z]+)+$/.test(span) && !/^(FLAGDOUBLE|CHROMIUM|NODE|NO)_/.test(span))
      .filter((span) => !(span in serviceVariables))
    const known: string[] = [...Object.keys(mockErrors), ...PERMISSIONS, ...knownOperators]
    expect(named.filter((code) => !known.includes(code))).toEqual([])
  })
})

/** The names of the public members of an object, also those of its prototypes. */
function membersOf(object: object): Set<string> {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype === null || typeof prototype !== 'object') return new Set()
  const names = [...Object.getOwnPropertyNames(object), ...membersOf(prototype)]
  return new Set(names.filter((name) => name !== 'constructor'))
}

it('the panel labels on the pages exist in the panel', () => {
  const folder = join(root, 'src/panel')
  const files = readdirSync(folder).filter((file) => /\.tsx?$/.test(file))
  const source = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const lastChoice = source.replaceAll(/\{[^{}\n]*'([^'\n]*)'\}/g, '$1')
  const shown = plain(`${source} ${lastChoice}`)
  const blocks = writtenPages.flatMap((page) => readFileSync(join(root, page), 'utf8').split(/\n\n|\n(?=- )/))
  const quoted = blocks
    .filter((block) => /\b(panel|tab|menu)\b/.test(block))
    .flatMap((block) => [...plain(block).matchAll(/\*\*([^*:]+)\*\*/g)].map(([, label = '']) => label))
  expect(quoted).toEqual(expect.arrayContaining(['Save as scenario', 'Start over', 'Copy as curl']))
  expect(quoted.filter((label) => !new RegExp(`\\W${label}\\W`).test(shown))).toEqual([])
})

/** A text in one line. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

describe('CONTRIBUTING describes the current tree', () => {
  const under = (heading: string) => snippets.find((snippet) => snippet.heading === heading)?.code ?? ''

  it('CONTRIBUTING lists existing files and folders, and every folder of src and every module of resources', () => {
    const listed = pathsOf(under('Where things are'))
    expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const rooms = ['src', 'src/service', 'src/engine', 'src/entries', 'src/service/resources'].flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true }).map(({ name }) => join(folder, name)),
    )
    expect(rooms.filter((room) => !listed.includes(room))).toEqual([])
  })

  it('CONTRIBUTING lists each file on the path of a request below a file that imports it, directly or not', () => {
    const lines = under('The path of a request').trimEnd().split('\n')
    const steps = lines.map((line) => ({ depth: line.search(/\S/), file: line.trim().split(' ')[0] ?? '' }))
    expect(steps.length).toBeGreaterThan(5)
    const strays = steps.filter(({ depth, file }, i) => {
      const caller = steps.slice(0, i).findLast((step) => step.depth < depth)
      return caller === undefined ? !existsSync(join(root, file)) : !importsOf(caller.file).has(file)
    })
    expect(strays).toEqual([])
  })
})

/** The paths of an indented tree, each below the folder of its indentation. */
function pathsOf(tree: string): string[] {
  const folders: string[] = []
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      folders.length = line.search(/\S/) / 2
      folders.push(line.trim().split(' ')[0] ?? '')
      return join(...folders).replace(/\/$/, '')
    })
}

/** The files that a source file imports, directly or not. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, target = ''] of text.matchAll(/from '(\.[^']+)\.js'/g)) {
    const path = `${join(dirname(file), target)}.ts`
    if (found.has(path) || !existsSync(join(root, path))) continue
    found.add(path)
    importsOf(path, found)
  }
  return found
}
