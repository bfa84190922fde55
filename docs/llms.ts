// The list of pages for coding assistants (llmstxt.org), and all pages as one text. Both are made from docs/README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './generate.js'

/** The description of flagdouble, from the README. */
export function opening(root: string): string {
  const [, paragraph = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n\n')
  return paragraph.replaceAll('**', '').replaceAll('\n', ' ')
}

/** `docs/llms.txt`: the pages in the package, one line each. */
export function llmsPage(root: string): Page {
  const list = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const [, ...sections] = list.replaceAll(/^- .*\]\(\.\.\/.*\n?/gm, '').split(/^(?=## )/m)
  const lists = sections.join('').replace(/\n\n(?![-#])[\s\S]*$/, '\n')
  return { path: 'docs/llms.txt', text: `# flagdouble\n\n> ${opening(root)}\n\n${lists}` }
}

/** The website's files for assistants: the same list, with the website's URLs, each listed page, and all pages in one text. */
export function siteTexts(root: string): Page[] {
  const { text } = llmsPage(root)
  const links = [...text.matchAll(/\]\((.+?)\)/g)].map(([, page = '']) => page)
  const paths = ['README.md', ...links.map((page) => `docs/${page}`)]
  const pages = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return [
    { path: 'llms.txt', text: `${text.replaceAll('](', '](docs/')}\n[All pages in one text](llms-full.txt)\n` },
    { path: 'llms-full.txt', text: pages.map((page) => page.text).join('\n') },
    ...pages,
  ]
}
