import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

/** A code block of a page. */
export interface Snippet {
  page: string
  /** The heading that it stands under. */
  heading: string
  language: string
  code: string
  /** The file that the text before it names last, for what is the content of a file. */
  file: string | undefined
  /** Why it is only type-checked, where a comment before it says so. */
  onlyTypes: string | undefined
  /** The file of an example with just this content, which CI runs, where a comment before it names one. */
  example: string | undefined
}

/** The pages whose snippets a reader may copy. */
export const pages: readonly string[] = [
  'README.md',
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
