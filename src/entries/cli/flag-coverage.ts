import type { FlagReport } from '../../engine/mock/flag-report.js'
import { readCoverage } from '../files/coverage-file.js'
import { UsageError } from '../files/usage-error.js'
import type { Io } from './io.js'

/** `flagdouble flag-coverage FILE…`: prints the sum of files. Returns 1 for too little coverage. */
export async function flagCoverage(
  files: readonly string[],
  { min, against }: { min?: unknown; against?: unknown },
  io: Io,
): Promise<number> {
  if (files.length === 0) {
    throw new UsageError(
      'flag-coverage needs a file.',
      'Pass the files of your runs: flagdouble flag-coverage flag-coverage.json',
    )
  }
  const least = percentageIn('--min', min)
  const words = await readCoverage(files, textIn(against))
  io.stdout.write(`${words.lines.join('\n')}\n`)
  return codeFor(words, { least, option: '--min' }, io)
}

/** The exit code for a coverage. Says so if it is too low. */
export function codeFor(
  { share }: FlagReport,
  { least, option }: { least: number | undefined; option: string },
  io: Io,
): number {
  if (least === undefined || share >= least) return 0
  io.stderr.write(`flagdouble: The flag coverage is ${share} %, below ${option} ${least}.\n`)
  return 1
}

/** The percentage of an option. Throws a `UsageError` for anything else. */
export function percentageIn(option: string, given: unknown): number | undefined {
  const percentage = given === undefined ? undefined : Number(given)
  if (percentage === undefined || (given !== '' && percentage >= 0 && percentage <= 100)) return percentage
  throw new UsageError(`${option} must be a percentage, but is "${given}".`, 'Use a number from 0 to 100.')
}

/** The text of an option. */
export function textIn(given: unknown): string | undefined {
  return given === undefined ? undefined : String(given)
}
