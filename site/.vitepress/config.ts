import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { siteTexts } from '../../docs/llms.js'
import { icon } from '../../src/engine/control/panel/page.js'
import { homePage } from './home.js'
import { anchorOf, repositoryLinks } from './links.js'

const root = join(import.meta.dirname, '../..')

/** "Try it", and the groups of pages in docs/README.md. */
function sidebar(): DefaultTheme.SidebarItem[] {
  const [, ...sections] = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m)
  const groups = sections.map((section) => {
    const [title = ''] = section.split('\n')
    const links = [...section.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)]
    const items = links.map(([, text = '', href = '']) => ({ text: text.replaceAll('`', ''), link: linkOf(href) }))
    return { text: title, items }
  })
  return [{ text: 'Try it', link: '/try' }, ...groups]
}

function linkOf(href: string): string {
  return new URL(href, 'http://site/docs/').pathname.replace(/README\.md$/, '').replace(/\.md$/, '')
}

/** Pages are outside of the folder with the site's packages. */
const packagesOfTheSite: Plugin = {
  name: 'packages-of-the-site',
  enforce: 'pre',
  resolveId(id, importer, options) {
    if (!/^vue(\/|$)/.test(id)) return undefined
    // Node loads Vue during the build of the pages.
    if (options.ssr) return { id, external: true }
    if (importer?.includes('node_modules')) return undefined
    return this.resolve(id, join(root, 'site/package.json'), { ...options, skipSelf: true })
  },
}

export default defineConfig({
  title: 'flagdouble',
  description: "A stateful mock of Unleash's Admin, Client and Frontend APIs, for local development and tests",
  head: [['link', { rel: 'icon', href: icon }]],
  srcDir: '..',
  srcExclude: [
    '**/node_modules/**',
    ...['test', 'bench', 'tools', '.ci', 'dist', 'decisions', 'examples'].map((folder) => `${folder}/**`),
    ...['CONTRIBUTING.md', 'AGENTS.md'],
  ],
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md').replace(/^site\//, ''),
  // A project page is served below its name, which the workflow sets.
  base: process.env.SITE_BASE ?? '/',
  outDir: join(root, 'site/dist'),
  cleanUrls: true,
  buildEnd: ({ outDir }) => {
    for (const { path, text } of siteTexts(root)) {
      mkdirSync(dirname(join(outDir, path)), { recursive: true })
      writeFileSync(join(outDir, path), text)
    }
  },
  ignoreDeadLinks: [/^http:\/\/(localhost|127\.0\.0\.1)/],
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      homePage(markdown, root)
      repositoryLinks(markdown, root)
    },
  },
  vite: {
    plugins: [packagesOfTheSite],
    resolve: {
      alias: [
        { find: /^flagdouble$/, replacement: join(root, 'dist/index.js') },
        { find: /^flagdouble\/browser$/, replacement: join(root, 'dist/browser.js') },
      ],
    },
  },
  themeConfig: {
    nav: [
      { text: 'Try it', link: '/try' },
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
