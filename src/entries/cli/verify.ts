import { show } from '../../support/json.js'
import { grouped } from '../../support/lists.js'
import { counted, printable } from '../../support/text.js'
import {
  isRed,
  type OperationVerdict,
  type Verdict,
  type Verification,
  verify as verifyAgainst,
} from '../remote/verify.js'
import { createStyle } from './banner.js'
import type { Io } from './io.js'
import { report, USAGE } from './io.js'
import { otherPeople } from './pull.js'
import { jsonText, withRemote } from './remote.js'

interface VerifyFlags {
  project?: readonly string[]
  allowRefused?: readonly string[]
  json?: boolean
}

/** The exit code for an answer that differs, and for one that is missing. */
const RED = 1

/** `flagdouble verify URL`: says where a mock with a service's data answers otherwise than the service does. */
export function verify(url: string, flags: VerifyFlags, io: Io): Promise<number> {
  const { project: projects = [], allowRefused = [], json } = flags
  return withRemote(url, io, async ({ client, progress, tell, withoutKey }) => {
    const people = await otherPeople(undefined)
    const found = await verifyAgainst({ client, projects, people, allowRefused, onProgress: progress })
    tell('')
    const text = json ? jsonText({ ...found, counts: countsOf(found) }) : describe(found, io)
    io.stdout.write(withoutKey(text))
    return found.operations.some(isRed) ? RED : 0
  }).catch((error: unknown) => {
    // Whatever went wrong: it could not be tried, which is no difference.
    report(error, io)
    return USAGE
  })
}

const RESULTS: readonly Verdict[] = ['differs', 'they refuse', 'not modelled', 'same']

function countsOf({ operations }: Verification): Record<Verdict, number> {
  const counts = { same: 0, differs: 0, 'they refuse': 0, 'not modelled': 0 }
  for (const { result } of operations) counts[result]++
  return counts
}

function describe(found: Verification, io: Io): string {
  const { bold, dim } = createStyle(io)
  const counts = countsOf(found)
  const inOrder = RESULTS.flatMap((result) => found.operations.filter((one) => one.result === result))
  const width = Math.max(...RESULTS.map(({ length }) => length))
  const lines = inOrder.flatMap((one) => [
    `${bold(one.result.padEnd(width))}  ${printable(one.operation)}${dim(sizeOf(one))}`,
    ...[...grouped(one.differences, ({ request }) => request)].flatMap(([request, differences]) => [
      `  ${request}`,
      ...differences.map(({ at, theirs, ours }) => {
        // Of what the mock doesn't know, only the kind is told.
        const value = ours === undefined && typeof theirs === 'string' ? theirs : show(theirs)
        return printable(`    ${at}: theirs ${value}, ours ${show(ours)}`)
      }),
    ]),
    ...(one.differing > one.differences.length ? [`  and ${one.differing - one.differences.length} more`] : []),
  ])
  const missed = found.missed.map((what) => `not pulled: ${what}`)
  const sum = RESULTS.map((result) => `${counts[result]} ${result}`).join(', ')
  return `${[...lines, ...missed, `Version ${found.version} against the profile unleash-8, by operation: ${sum}.`].join('\n')}\n`
}

function sizeOf({ asked, status, allowed }: OperationVerdict): string {
  const compared = asked === 0 ? '' : ` ${counted(asked, 'answer')}`
  return status === undefined ? compared : `${compared} ${status}${allowed ? ', allowed' : ''}`
}
