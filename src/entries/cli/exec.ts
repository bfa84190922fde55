import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import { wordsOf } from '../../engine/mock/flag-report.js'
import { CORE, sessionOf } from '../../engine/mock/session.js'
import { ofServer } from '../../engine/sessions/flag-coverage.js'
import { writeCoverage } from '../files/coverage-file.js'
import { describeSystemError } from '../files/json-file.js'
import { recordsIn } from '../files/sources.js'
import { UsageError } from '../files/usage-error.js'
import { readyLine } from './banner.js'
import { codeFor, percentageIn, textIn } from './flag-coverage.js'
import type { StartFlags } from './flags.js'
import { type Io, printError } from './io.js'
import { launch } from './start.js'

/** The shells' exit codes for a missing command, and for one that can't be executed. */
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126

export interface ExecFlags extends StartFlags {
  flagCoverage?: boolean | undefined
  minFlagCoverage?: number | undefined
  against?: string | undefined
  flagCoverageFile?: string | undefined
}

const OWN_SERVERS =
  '  Tests of flagdouble/playwright start separate servers: add the reporter flagdouble/playwright/reporter.'

/** The flags of `exec` about flag coverage. Throws a `UsageError` for an invalid percentage. */
export function coverageFlags(given: Readonly<Record<string, unknown>>): Partial<ExecFlags> {
  const { flagCoverage, minFlagCoverage, against, flagCoverageFile } = given
  return {
    flagCoverage: flagCoverage === true,
    minFlagCoverage: percentageIn('--min-flag-coverage', minFlagCoverage),
    against: textIn(against),
    flagCoverageFile: textIn(flagCoverageFile),
  }
}

/** `flagdouble exec -- COMMAND…`: runs a server and a command, and returns the command's exit code. */
export async function exec(flags: ExecFlags, command: readonly string[], io: Io): Promise<number> {
  if (command.length === 0 || command[0]?.trim() === '') {
    throw new UsageError('exec needs a command to run.', 'Pass it after two dashes: flagdouble exec -- npm test')
  }
  const production = flags.against === undefined ? undefined : await recordsIn(flags.against)
  const { server, stop } = await launch({ port: 0, ...flags }, io)
  const { url, mock } = server
  if (flags.json) io.stdout.write(readyLine(server, io))
  else if (!flags.quiet) io.stderr.write(`flagdouble: ${url} (scenario ${sessionOf(mock).activeNames.join(',')})\n`)
  let exitCode = 0
  try {
    exitCode = await runCommand(command, { ...io.env, FLAGDOUBLE_URL: url }, io)
    const { coverage, sessions } = mock[CORE]
    const covered = ofServer(coverage.report(sessions.unnamed.world()))
    const { minFlagCoverage: least, flagCoverageFile: file } = flags
    if (file !== undefined) writeCoverage(file, covered)
    const words = wordsOf(covered, production)
    const notices = covered.sdks.all === 0 ? [OWN_SERVERS] : []
    if (flags.flagCoverage || production !== undefined || least !== undefined)
      io.stdout.write(`${[...words.lines, ...notices].join('\n')}\n`)
    exitCode ||= codeFor(words, { least, option: '--min-flag-coverage' }, io)
  } finally {
    await stop(0).catch((error: unknown) => {
      const failure = printError(error, io)
      exitCode ||= failure
    })
  }
  return exitCode
}

/**
 * Outside of a terminal the command gets a process group, so that its child processes also get its signals. A terminal
 * sends Ctrl-C to all its programs by itself, and so does a Windows console, which has no other signals.
 */
function runCommand([name = '', ...args]: readonly string[], env: Io['env'], io: Io): Promise<number> {
  const ownGroup = !process.stdin.isTTY && process.platform !== 'win32'
  const child = spawn(name, args, { stdio: 'inherit', env, detached: ownGroup })
  const { pid } = child
  io.onSignal((signal) => {
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      if (ownGroup) process.kill(-pid, signal)
      else if (signal !== 'SIGINT' && process.platform !== 'win32') child.kill(signal)
    } catch (error) {
      // A command of another user, such as sudo, ends by itself.
      const reason = describeSystemError(error)
      io.stderr.write(`flagdouble: The command can't get the signal ${signal}: ${reason}. Waiting for its end.\n`)
    }
  })
  return exitCodeOf(child, [name, ...args], io)
}

function exitCodeOf(child: ChildProcess, command: readonly string[], io: Io): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT'
      const reason = missing ? 'no such command' : describeSystemError(error)
      io.stderr.write(`flagdouble: ${command[0]}: ${reason}.\nhint: ${hintFor(command, missing)}\n`)
      resolve(missing ? NOT_FOUND : NOT_EXECUTABLE)
    })
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]))
  })
}

/** How to start a command that can't be started. */
function hintFor([name = '', ...args]: readonly string[], missing: boolean): string {
  const dashes = args.indexOf('--')
  if (missing && dashes >= 0) {
    return `Write the command right after the two dashes: flagdouble exec -- ${args.slice(dashes + 1).join(' ')}`
  }
  if (missing && /[$|&;<>]/.test(name)) return `Pass it to a shell: flagdouble exec -- sh -c '${name}'`
  if (/\S\s+\S/.test(name)) return `Pass the words separately: flagdouble exec -- ${name}`
  return missing
    ? 'Try it in this shell without flagdouble.'
    : `Is it a program? Then make it executable: chmod +x ${name}`
}
