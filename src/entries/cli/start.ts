import { createMockOf, type Mock, type MockOptions } from '../../engine/mock/mock.js'
import { CORE } from '../../engine/mock/session.js'
import { FRONTEND_PROFILE } from '../../service/contract/profiles.js'
import { startStopwatch } from '../../support/clock.js'
import { CannotListen } from '../adapters/node/listen.js'
import { type Certificate, DEFAULT_HOST, DEFAULT_PORT, type RunningServer, startServer } from '../adapters/node.js'
import { readJsonText } from '../files/json-file.js'
import { SavedScenarioFiles } from '../files/scenario-folder.js'
import type { Sources } from '../files/sources.js'
import type { StateFile } from '../files/state-file/state-file.js'
import { UsageError } from '../files/usage-error.js'
import { exposureNotice, printBanner } from './banner.js'
import { readCertificate } from './certificate.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'
import { RequestLog } from './log.js'
import { misspeltVariables } from './service-variables.js'
import { readStartSources } from './start-sources.js'

/** A server started by the command line. */
export interface Running {
  server: RunningServer
  /**
   * Stops it. Open requests get a grace period in milliseconds (default: 5,000); a second call can shorten it. Rejects
   * with a `UsageError` if the state can't be saved.
   */
  stop(grace?: number): Promise<void>
}

/** The fixtures, with the text of standard input for `-`. */
async function withInput(fixtures: readonly string[], io: Io): Promise<readonly string[]> {
  if (!fixtures.includes('-')) return fixtures
  const content = readJsonText('standard input', await io.readInput())
  return fixtures.map((file) => (file === '-' ? JSON.stringify(content) : file))
}

/** Starts a server by the flags. If a flag or a file is invalid, throws and starts nothing. */
export async function launch(given: StartFlags, io: Io): Promise<Running> {
  const flags = { ...given, fixtures: await withInput(given.fixtures, io) }
  if (flags.ui !== undefined && flags.proxy !== undefined) {
    throw new UsageError("--ui and --proxy can't be combined.", 'Both handle the paths that Unleash does not have.')
  }
  const certificate = await readCertificate(flags)
  const sources = await readStartSources(flags, (notice) => io.stderr.write(`flagdouble: ${notice}\n`))
  const mock = await startMock(flags, sources)
  const stateFile = await openStateFile(flags, mock, io)
  const server = await listen(mock, flags, certificate).catch(async (error: unknown) => {
    await stateFile?.close()
    throw error
  })
  const notices = [
    ...mock[CORE].notices(),
    exposureNotice(flags),
    idleWatch(flags),
    ...(flags.service?.notices ?? []),
    ...misspeltVariables(io.env),
  ]
  for (const notice of notices) if (notice !== undefined) io.stderr.write(`flagdouble: ${notice}\n`)
  mock[CORE].onMissingFlag((sentence) => io.stderr.write(`flagdouble: ${sentence}\n`))
  const log = new RequestLog(io.stderr)
  if (!flags.quiet) mock.onRequest((entry, session) => log.add(entry, session))
  const unwatch = flags.watch
    ? await (await import('./watch.js')).watchSources(mock, sources, flags, io)
    : () => undefined

  let saved: Promise<void> | undefined
  return {
    server,
    async stop(grace) {
      unwatch()
      await server.close(grace)
      log.flush()
      saved ??= stateFile?.close()
      await saved
    },
  }
}

function idleWatch({ watch, fixtures, scenarios, service }: StartFlags): string | undefined {
  const isIdle = watch && fixtures.length === 0 && [scenarios, service?.file, service?.bootstrap].every((one) => !one)
  return isIdle ? '--watch has no files to watch: add --fixtures FILE or --scenarios FOLDER.' : undefined
}

async function startMock(flags: StartFlags, sources: Sources): Promise<Mock> {
  const mock = createMockOf(
    {
      scenarios: sources.scenarios,
      scenario: flags.scenario,
      seed: flags.seed,
      now: flags.now,
      profile: flags.profile ?? (flags.ui === undefined ? undefined : FRONTEND_PROFILE),
      ...addressOf(flags),
      paths: flags.paths,
      latency: flags.latency,
      journalSize: flags.journalSize,
      allowOrigins: flags.allowOrigin,
      auth: flags.anyKey ?? flags.auth,
      tokenFormat: flags.tokenFormat,
    },
    sources.fixtures,
    flags.scenarios === undefined ? undefined : new SavedScenarioFiles(flags.scenarios),
  )
  await mock.ready
  return mock
}

/** The base URL for clients. A path option precedes the URL's path, because the URL can belong to a proxy. */
function addressOf({ baseUrl, basePath, service }: StartFlags): Pick<MockOptions, 'baseUrl' | 'basePath'> {
  // The path in Unleash's own URL isn't the path of the routes.
  if (baseUrl === undefined && service?.url !== undefined) return { baseUrl: service.url, basePath: basePath ?? '' }
  if (baseUrl === undefined || basePath === undefined) return { baseUrl, basePath }
  return { baseUrl: new URL(baseUrl).origin + basePath }
}

/** Loaded on demand: only `--state` needs the code of the state file. */
async function openStateFile(flags: StartFlags, mock: Mock, io: Io): Promise<StateFile | undefined> {
  if (flags.state === undefined && !flags.stateSync) return undefined
  return (await import('../files/state-file/state-file.js')).openStateFile(flags, mock, (message) =>
    io.stderr.write(`flagdouble: ${message}\n`),
  )
}

async function listen(
  mock: Mock,
  { port = DEFAULT_PORT, host = DEFAULT_HOST, allowHost, ui, proxy }: StartFlags,
  https: Certificate | undefined,
): Promise<RunningServer> {
  try {
    return await startServer(mock, { port, host, allowHosts: allowHost, ui, https, proxy })
  } catch (error) {
    throw error instanceof CannotListen ? new UsageError(error.problem, error.hint) : error
  }
}

/**
 * The milliseconds within which a second signal counts as the same: npm forwards a Ctrl-C that this process has already
 * received.
 */
const SAME_SIGNAL = 100

/** `flagdouble start`: serves until a signal stops it; a second signal stops it at once. */
export async function start(flags: StartFlags, io: Io): Promise<number> {
  const { server, stop } = await launch(flags, io)
  const stopped = new Promise<void>((resolve, reject) => {
    let sinceFirst: (() => number) | undefined
    io.onSignal(() => {
      if (sinceFirst === undefined) {
        sinceFirst = startStopwatch()
        stop().then(resolve, reject)
      } else if (sinceFirst() > SAME_SIGNAL) {
        // The first call reports a failure.
        stop(0).catch(() => undefined)
      }
    })
  })
  printBanner(server, flags, io)
  await stopped
  return 0
}
