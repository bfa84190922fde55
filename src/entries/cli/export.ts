import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock, createMockOf } from '../../engine/mock/mock.js'
import { CORE } from '../../engine/mock/session.js'
import type { PartialState } from '../../engine/state/partial-state.js'
import { stateSchema } from '../../engine/state/state.js'
import { checkGiven } from '../../engine/state/state-fault.js'
import { writeExport } from '../../engine/transfer/write-export.js'
import { isObject } from '../../support/json.js'
import { withoutTrailing } from '../../support/text.js'
import { describeSystemError, wholeFile } from '../files/json-file.js'
import { readSources } from '../files/sources.js'
import { openStateFile } from '../files/state-file/state-file.js'
import { UsageError } from '../files/usage-error.js'
import { type Io, writeOut } from './io.js'

interface ExportFlags {
  fixtures?: readonly string[]
  state?: string
  url?: string
  project?: readonly string[]
  environment?: string
  out?: string
}

/** `flagdouble export`: writes state as an Unleash export file, which Unleash imports. */
export async function exportFlags(flags: ExportFlags, io: Io): Promise<number> {
  const state = await stateOf(flags, io)
  const file = writeExport(state, { projects: flags.project, environment: flags.environment })
  await writeOut(`${JSON.stringify(file, undefined, 2)}\n`, flags, io)
  return 0
}

/** The state that the flags select: of files, of a state file, or of a running mock; otherwise of the default scenario. */
async function stateOf({ fixtures = [], state, url }: ExportFlags, io: Io): Promise<PartialState> {
  const given = [fixtures.length > 0, state !== undefined, url !== undefined].filter(Boolean)
  if (given.length > 1) {
    throw new UsageError('export reads exactly one source.', 'Pass one of --fixtures, --state and --url.')
  }
  if (url !== undefined) return await stateAt(url)
  if (state !== undefined) return await stateInFile(state, io)
  if (fixtures.length === 0) return createMock().state()
  const sources = await readSources({ fixtures })
  const mock = createMockOf({ scenario: 'empty' }, sources.fixtures)
  for (const notice of mock[CORE].notices()) io.stderr.write(`flagdouble: ${notice}\n`)
  return mock.state()
}

async function stateAt(url: string): Promise<PartialState> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--url can't be "${url}".`, 'Pass the URL of a running mock, such as http://localhost:4242.')
  }
  const address = `${withoutTrailing(url, '/').replace(/\/__mock$/, '')}/__mock/state`
  const response = await fetch(address, { redirect: 'manual' }).catch(() => undefined)
  const body: unknown = response?.ok ? await response.json().catch(() => undefined) : undefined
  const checked = isObject(body) ? checkGiven(stateSchema, body) : undefined
  if (checked?.data !== undefined) return checked.data
  throw new UsageError(
    `No mock responds at ${address}: ${response?.status ?? 'it cannot be reached'}.`,
    'Start one with `flagdouble`. To read the flags of an Unleash instance, use `flagdouble pull`.',
  )
}

/** Reads a copy, so that a running mock keeps the file. */
async function stateInFile(file: string, { stderr }: Io): Promise<PartialState> {
  const folder = await mkdtemp(join(tmpdir(), 'flagdouble-'))
  const copy = join(folder, 'state.json')
  const mock = createMock()
  try {
    await copyFile(file, copy).catch((error: unknown) => {
      throw wholeFile(file, describeSystemError(error), 'Pass the file of --state of `flagdouble start`.')
    })
    const warn = (message: string) => stderr.write(`flagdouble: ${message}\n`)
    const opened = await openStateFile({ state: copy }, mock, warn)
    const state = mock.state()
    await opened?.close()
    return state
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(error.message.replaceAll(copy, file), error.hint.replaceAll(copy, file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
