import { join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** The paragraph of the README for readers of the repository, with its commands. */
const IN_A_CLONE = /^flagdouble isn't published yet\. [\s\S]*?\n```sh\n[\s\S]*?\n```\n/m

/** Makes the home page from the README: a live request after the introduction, and a link instead of the commands for a clone. */
export function homePage(markdown: MarkdownRenderer, root: string): void {
  markdown.core.ruler.before('normalize', 'home-page', (state) => {
    if ((state.env.realPath ?? state.env.path) !== join(root, 'README.md')) return
    const parts = state.src.split(/^(?=## Try it$)/m)
    const [introduction = '', rest] = parts
    if (parts.length !== 2 || rest === undefined || !IN_A_CLONE.test(rest)) {
      throw new Error(
        'README.md: "## Try it" must begin with the commands for a clone, which site/.vitepress/home.ts replaces',
      )
    }
    const start = '[Start the server](docs/quick-start.md).\n'
    state.src = `${introduction}<LiveRequest />\n\n${rest.replace(IN_A_CLONE, start)}`
  })
}
