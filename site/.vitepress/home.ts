import { join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** The paragraph of the README for readers of the repository, with its commands. */
const IN_A_CLONE = /^flagdouble isn't published yet\. [\s\S]*?\n```sh\n[\s\S]*?\n```\n/m

/** Makes the home page from the README: a link in place of the commands for a clone, and a live request before "Try it". */
export function homePage(markdown: MarkdownRenderer, root: string): void {
  markdown.core.ruler.before('normalize', 'home-page', (state) => {
    if ((state.env.realPath ?? state.env.path) !== join(root, 'README.md')) return
    const parts = state.src.split(/^(?=## Try it$)/m)
    const [introduction = '', rest] = parts
    if (parts.length !== 2 || rest === undefined || !IN_A_CLONE.test(introduction)) {
      throw new Error(
        'README.md must have the commands for a clone before "## Try it": site/.vitepress/home.ts replaces them',
      )
    }
    const start = '[Start the server](docs/quick-start.md).\n'
    state.src = `${introduction.replace(IN_A_CLONE, start)}<LiveRequest />\n\n${rest}`
  })
}
