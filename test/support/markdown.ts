import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

/** A code block of a page. */
export interface Snippet {
  page: string
  /** The heading above it. */
  heading: string
  language: string
  code: string
  /** The last file named in the text before it, if the snippet is a file's content. */
  file: string | undefined
  /** The reason why it is only type-checked, from a comment before it. */
  onlyTypes: string | undefined
  /** The example file with the same content, which CI runs, from a comment before it. */
  example: string | undefined
}

/** The pages with snippets to copy. */
export const pages: readonly string[] = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'examples/README.md',
  'examples/react-vite/README.md',
]

export function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(root, page), 'utf8')
  const found: Snippet[] = []
  let heading = ''
  let before = 0
  for (const match of text.matchAll(/^#+ (.+)$|^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const [block, title, language = '', code = ''] = match
    const between = text.slice(before, match.index)
    before = match.index + block.length
    if (title !== undefined) heading = title
    else
      found.push({
        page,
        heading,
        language,
        code,
        file: between
          .match(/`([\w./-]+\.(?:ts|js|json))`/g)
          ?.at(-1)
          ?.slice(1, -1),
        example: /<!-- runs as (.+) -->\s*$/.exec(between)?.[1],
        onlyTypes: /<!-- only type-checked: (.+) -->\s*$/.exec(between)?.[1],
      })
  }
  return found
}

export const snippets: readonly Snippet[] = pages.flatMap(snippetsOf)
