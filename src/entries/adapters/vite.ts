/**
 * The mock as a Vite plugin: the app's own dev and preview server serves it.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import * as util from 'node:util'
import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { atCallSite } from '../../engine/errors/arguments.js'
import { MockError } from '../../engine/errors/mock-errors.js'
import type { Answer } from '../../engine/http/answer.js'
import type { ServedMock } from '../../engine/http/call.js'
import { cookiesOfPage, faultAnswer, wantsPage } from '../../engine/http/page-scenario.js'
import { NAMING } from '../../engine/http/resolve.js'
import { CONTROL_PATH, isClaimed, isPathOfOrigin } from '../../engine/http/routes.js'
import { isNavigation, isTrustedSender } from '../../engine/http/senders.js'
import { createMockOf, type Mock } from '../../engine/mock/mock.js'
import { mockOptionsIn } from '../../engine/mock/options.js'
import { CORE } from '../../engine/mock/session.js'
import { none } from '../../support/freeze.js'
import { SavedScenarioFiles } from '../files/scenario-folder.js'
import type { Sources } from '../files/sources.js'
import { UsageError } from '../files/usage-error.js'
import { createListener } from './node/listener.js'
import { expectPeer } from './peer.js'
import type { GivenFixture, PluginOptions } from './vite/sources.js'
import {
  checkPluginOptions,
  explain,
  type GivenSources,
  givenSources,
  reloadOnChange,
  showError,
} from './vite/sources.js'

export type { GivenFixture, PluginOptions }

expectPeer('vite', 'vite', '5.0')

/**
 * Nuxt's own requests don't reach Vite's dev server: Nuxt renders a page for them, which can send the same request, until the memory
 * is full. So the entry of Nuxt's pages, on the server, throws an error instead.
 */
const NUXT_ENTRY = /\/nuxt\/dist\/app\/entry\.js$/
const NUXT_PAGE = 'function createNuxtAppServer(ssrContext) {'

function rejectServicePages(entry: string, { basePath = '' }: PluginOptions): string {
  const paths = ['admin', 'client', 'frontend'].map((api) => `${basePath}/api/${api}`)
  const error =
    "flagdouble: on Nuxt's server, a relative $fetch doesn't reach Vite's dev server. Use an absolute URL there, or the middleware in flagdouble's docs/dev-servers.md#nuxt."
  const isService = `import.meta.dev && !ssrContext.error && ${JSON.stringify(paths)}.some((path) => ssrContext.url.startsWith(path))`
  return entry.replace(NUXT_PAGE, `${NUXT_PAGE} if (${isService}) throw new Error(${JSON.stringify(error)});`)
}

/**
 * Makes Vite's dev and preview server handle Unleash's paths and `/__mock`. All other paths remain the app's.
 *
 * @example
 * export default defineConfig({ plugins: [flagdouble({ scenario: 'expired-token' })] })
 */
export default function flagdouble(options: PluginOptions = {}): Plugin {
  atCallSite(flagdouble, () => checkPluginOptions(options))
  const plugin: Plugin = {
    name: 'flagdouble',
    configResolved({ plugins, logger }) {
      const [first, ...more] = plugins.filter(({ name }) => name === 'flagdouble')
      if (more.length > 0 && first === plugin)
        logger.warn('flagdouble: the plugin is given twice. The first one responds; remove the other.')
    },
    async configureServer(server) {
      // Vitest starts its own server, which must not open the state file.
      if (process.env.VITEST !== undefined) return
      const { mock, given, sources } = await open(server, options)
      const stop = await reloadOnChange(mock, sources, given, server)
      const { close } = server
      server.close = async () => {
        stop()
        await close()
      }
    },
    async configurePreviewServer(server) {
      await open(server, options).catch((error: unknown) => {
        throw new Error(`flagdouble: ${explain(error)}`, { cause: error })
      })
    },
    transform: (code, id) => (NUXT_ENTRY.test(id) ? rejectServicePages(code, options) : undefined),
  }
  return plugin
}

// Vite takes a function for a plugin without hooks.
Object.assign(flagdouble, {
  configResolved() {
    throw new MockError('INVALID_OPTION', 'The plugin flagdouble is not called.', 'Write plugins: [flagdouble()].')
  },
})

async function open(server: ViteDevServer | PreviewServer, options: PluginOptions) {
  const given = givenSources(options, server.config.root)
  // A preview reads its files only once, so a later read would be too late.
  const read =
    'watcher' in server
      ? await readTolerantly(options, given, server)
      : {
          options,
          notice: undefined,
          sources: await given.read(),
        }
  const { state } = read.options
  const { fixtures: _, ...mockOptions } = mockOptionsIn(read.options)
  const folder = given.folder === undefined ? undefined : new SavedScenarioFiles(given.folder)
  const mock = createMockOf({ ...mockOptions, scenarios: read.sources.scenarios }, read.sources.fixtures, folder)
  await mock.ready
  mock[CORE].sessions.setFileNotice('sources', read.notice)
  const warn = (message: string) => server.config.logger.warn(`flagdouble: ${message}`, { timestamp: true })
  if (state !== undefined) await keepState(mock, resolve(server.config.root, state), read, server)
  for (const notice of mock[CORE].notices()) warn(notice)
  mock[CORE].onMissingFlag(warn)
  const { base } = server.config
  mock[CORE].appPath = isPathOfOrigin(base) ? base : '/'
  serve(mock, server)
  return { mock, given, sources: read.sources }
}

/** The files' contents. The app's dev server starts without broken or missing files. */
async function readTolerantly(options: PluginOptions, given: GivenSources, server: ViteDevServer) {
  try {
    return { options, sources: await given.read(), notice: undefined }
  } catch (error) {
    const isGone = error instanceof MockError && error.code === 'UNKNOWN_SCENARIO'
    if (!isGone && !(error instanceof UsageError)) throw error
    const notice = `${explain(error)} Until it is fixed, the mock runs without your files, in its default scenario.`
    server.config.logger.error(`flagdouble: ${notice}`, { timestamp: true })
    showError(server.ws, `flagdouble: ${notice}`)
    return { options: { ...options, scenario: undefined }, sources: { fixtures: [], scenarios: [] }, notice }
  }
}

/** Functions that close each open state file. Vite restarts by starting the next server before it closes the last. */
const openFiles = new Map<string, () => Promise<void>>()

/** Saves the state in a file until the server closes. Logs a file that can't be used, and leaves it unchanged. */
async function keepState(
  mock: Mock,
  state: string,
  { options, sources }: { options: PluginOptions; sources: Pick<Sources, 'fixtures'> },
  server: ViteDevServer | PreviewServer,
): Promise<void> {
  const { logger } = server.config
  await openFiles.get(state)?.()
  const warn = (message: string) => logger.warn(`flagdouble: ${message}`, { timestamp: true })
  const { openStateFile } = await import('../files/state-file/state-file.js')
  const { scenario } = options
  const file = await openStateFile({ state, scenario, ...sources }, mock, warn).catch((error: unknown) => {
    const notice = `${explain(error)} Changes are not saved.`
    logger.error(`flagdouble: ${notice}`, { timestamp: true })
    mock[CORE].sessions.setFileNotice('state', notice)
  })
  if (!file) return
  const closeFile = async () => {
    openFiles.delete(state)
    await file.close().catch((error: unknown) => logger.error(`flagdouble: ${explain(error)}`))
  }
  openFiles.set(state, closeFile)
  const { close } = server
  server.close = async () => {
    await close()
    if (openFiles.get(state) === closeFile) await closeFile()
  }
}

function serve(mock: Mock, server: ViteDevServer | PreviewServer): void {
  const { service } = mock[CORE]
  const { basePath } = service.mock
  const listener = createListener(mock)
  const address = () => {
    const { local, network } = server.resolvedUrls ?? { local: [], network: [] }
    const [url] = [...local, ...network]
    return url === undefined ? undefined : new URL(url).origin + basePath
  }
  server.middlewares.use((incoming, outgoing, next) => {
    const { method = 'GET', url = '/' } = incoming
    const destination = service.locate({ method, url })
    if (!isClaimed(destination)) {
      const failed = enterScenario(incoming, outgoing, service.mock)
      if (failed === undefined) return next()
      outgoing.writeHead(failed.status, failed.headers).end(failed.body)
      return
    }
    // In middleware mode, only requests reveal the server's address.
    const named = `http://${incoming.headers.host}`
    const found = address() ?? (URL.canParse(named) ? named + basePath : undefined)
    if (found !== undefined) mock[CORE].setDefaultBaseUrl(found)
    listener(incoming, outgoing).catch(next)
  })
  const { printUrls } = server
  server.printUrls = () => {
    printUrls()
    const found = address()
    if (found !== undefined) server.config.logger.info(panelLine(`${found}${CONTROL_PATH}/`))
  }
}

/** Sets the cookies for a page of the app whose address names a scenario or a session. Returns the response if it can't. */
function enterScenario(incoming: IncomingMessage, outgoing: ServerResponse, mock: ServedMock): Answer | undefined {
  const { url = '/', headers } = incoming
  const address = `http://${headers.host}${url}`
  if (!NAMING.test(url) || !URL.canParse(address)) return undefined
  const sent = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const request = new Request(address, { method: incoming.method ?? 'GET', headers: Object.fromEntries(sent) })
  if (!wantsPage(request) || !(isTrustedSender(request, mock.allowOrigins) || isNavigation(request))) return undefined
  const { data: cookies = none, failure } = cookiesOfPage(request, mock, '/')
  if (failure !== undefined) return faultAnswer(failure, request, mock)
  for (const cookie of cookies) outgoing.appendHeader('set-cookie', cookie)
  return undefined
}

/** A line in Vite's banner. */
function panelLine(url: string): string {
  return `  ${util.styleText('green', '➜')}  ${util.styleText('bold', 'Flags')}:   ${util.styleText('cyan', url)}`
}
