import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type InlineConfig, type Logger, preview, type ViteDevServer } from 'vite'
import { onTestFinished } from 'vitest'
import flagdouble, { type PluginOptions } from '../../src/entries/adapters/vite.js'
import { scratchFolder } from './cli.js'

/** An app with a page, a module, its own API, and the plugin. */
export interface App {
  folder: ReturnType<typeof scratchFolder>
  url: string
  /** The server's log so far. */
  log(): string
}

export interface DevApp extends App {
  server: ViteDevServer
}

export async function startDev(options: PluginOptions = {}, folder = appFolder(), base = '/'): Promise<DevApp> {
  const { config, log } = configOf(options, folder, base)
  const server = await createServer(config)
  onTestFinished(() => server.close())
  await server.listen()
  server.printUrls()
  return { server, folder, log, url: originOf(server.resolvedUrls) }
}

export async function startPreview(options: PluginOptions = {}, folder = appFolder(), base = '/'): Promise<App> {
  const { config, log } = configOf(options, folder, base)
  const server = await preview(config)
  onTestFinished(() => server.close())
  server.printUrls()
  return { folder, log, url: originOf(server.resolvedUrls) }
}

/** A folder with an app, which is also its own build. */
export function appFolder(): ReturnType<typeof scratchFolder> {
  const folder = scratchFolder()
  mkdirSync(join(folder.path, 'dist'))
  for (const place of ['.', 'dist']) {
    const page = '<!doctype html><title>The app</title><script type="module" src="/app.ts"></script>'
    writeFileSync(join(folder.path, place, 'index.html'), page)
  }
  folder.put('app.ts', 'export const answer: number = 42\n')
  return folder
}

export function configOf(
  options: PluginOptions,
  { path }: { path: string },
  base: string,
): { config: InlineConfig; log(): string } {
  let written = ''
  const write = (text: string) => {
    written += `${text}\n`
  }
  const customLogger: Logger = {
    hasWarned: false,
    info: write,
    warn: write,
    warnOnce: write,
    error: write,
    clearScreen: () => undefined,
    hasErrorLogged: () => false,
  }
  const own = {
    name: 'own-api',
    configureServer: ({ middlewares }: Pick<ViteDevServer, 'middlewares'>) => {
      middlewares.use('/api/own', (_, response) => response.end('the app itself'))
    },
  }
  const port = { host: '127.0.0.1', port: 0 }
  return {
    config: {
      root: path,
      base,
      configFile: false,
      customLogger,
      plugins: [flagdouble(options), own],
      server: port,
      preview: port,
    },
    log: () => written,
  }
}

function originOf(urls: ViteDevServer['resolvedUrls']): string {
  return new URL(urls?.local[0] ?? '').origin
}
