import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** A link to another site, or to a heading of the same page. */
const ELSEWHERE = /^([a-z]+:|#|\/)/i

/** The anchor of a heading, as on GitHub. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Makes the relative links of pages work on the site, as in the repository: a link to a page leads to the page, a link to
 * a folder to its README. A link to a file outside of the site, such as a source file, becomes text. A broken link fails
 * the build.
 */
export function repositoryLinks(markdown: MarkdownRenderer, root: string): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const page: string = env.realPath ?? env.path
    for (const { children } of tokens) {
      for (const [i, token] of children?.entries() ?? []) {
        if (token.type !== 'link_open') continue
        const href = token.attrGet('href') ?? ''
        if (ELSEWHERE.test(href)) continue
        const target = siteAddress(href, page, root)
        if (target !== undefined) token.attrSet('href', target)
        else if (children !== null) unlink(children.slice(i))
      }
    }
  })
}

/** The URL of a link on the site. Undefined if the site lacks the target. */
function siteAddress(href: string, page: string, root: string): string | undefined {
  const [path = '', heading] = decodeURI(href).split('#')
  const target = join(dirname(page), path)
  if (!existsSync(target)) throw new Error(`${relative(root, page)}: dead link: ${href}`)
  const file = statSync(target).isDirectory() ? join(target, 'README.md') : target
  if (!file.endsWith('.md') || !existsSync(file)) return undefined
  const address = `/${relative(root, file).replaceAll('\\', '/')}`.replace(/README\.md$/, '').replace(/\.md$/, '')
  return heading === undefined ? address : `${address}#${heading}`
}

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Turns a link at the start of the tokens into plain text. */
function unlink(tokens: readonly Token[]): void {
  const close = tokens.findIndex(({ type }) => type === 'link_close')
  for (const token of [tokens[0], tokens[close]]) {
    if (token === undefined) continue
    token.type = token.type.replace('link', 'span')
    token.tag = 'span'
    token.attrs = null
  }
}
