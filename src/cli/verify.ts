import { type OperationVerdict, type Verdict, type Verification, verify as verifyAgainst } from '../remote/verify.js'
import { show } from '../support/json.js'
import { counted } from '../support/text.js'
import { createStyle } from './banner.js'
import type { Io } from './io.js'
import { report, USAGE } from './io.js'
import { otherPeople } from './pull.js'
import { withRemote } from './remote.js'

interface VerifyFlags {
  project?: readonly string[]
  json?: boolean
}

/** The exit code for an answer that differs. */
const DIFFERS = 1

/** `flagdouble verify URL`: says where a mock with a service's data answers otherwise than the service does. */
export function verify(url: string, { project = [], json }: VerifyFlags, io: Io): Promise<number> {
  return withRemote(url, io, async ({ client, progress, tell, withoutKey }) => {
    const people = await otherPeople(undefined)
    const found = await verifyAgainst({ client, projects: project, people, onProgress: progress })
    tell('')
    const text = json ? `${JSON.stringify({ ...found, counts: countsOf(found) }, undefined, 2)}\n` : describe(found, io)
    io.stdout.write(withoutKey(text))
    return found.operations.some(({ result }) => result === 'differs') ? DIFFERS : 0
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
    `${bold(one.result.padEnd(width))}  ${one.operation}${dim(sizeOf(one))}`,
    ...one.differences.flatMap(({ request, at, theirs, ours }) => [
      `  ${request}`,
      `    ${at}: theirs ${show(theirs)}, ours ${show(ours)}`,
    ]),
    ...(one.differing > one.differences.length ? [`  and ${one.differing - one.differences.length} more`] : []),
  ])
  const missed = found.missed.map((what) => `not pulled: ${what}`)
  const sum = RESULTS.map((result) => `${counts[result]} ${result}`).join(', ')
  return `${[...lines, ...missed, `Version ${found.version} against the profile unleash-8, by operation: ${sum}.`].join('\n')}\n`
}

function sizeOf({ asked, status }: OperationVerdict): string {
  if (status !== undefined) return ` ${status}`
  return asked === 0 ? '' : ` ${counted(asked, 'answer')}`
}
