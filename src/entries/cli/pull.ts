import type { PartialState } from '../../engine/state/partial-state.js'
import { counted, printable } from '../../support/text.js'
import { UsageError } from '../files/usage-error.js'
import { rootOf, ServiceClient } from '../remote/client.js'
import { pullState } from '../remote/pull.js'
import { type Io, writeOut } from './io.js'

interface PullFlags {
  project?: readonly string[]
  environment?: readonly string[]
  out?: string
}

/** `flagdouble pull URL`: writes the flags of a running Unleash as a fixture. */
export async function pull(url: string, flags: PullFlags, io: Io): Promise<number> {
  rootOf(url)
  const key = (io.env.FLAGDOUBLE_KEY ?? (await io.askSecret?.('API token (not shown): ')) ?? '').trim()
  if (key === '') {
    throw new UsageError(
      'The API token is missing.',
      'Set FLAGDOUBLE_KEY to a personal access token or an admin API token, or run pull in a terminal, where it asks for the token.',
    )
  }
  const client = new ServiceClient(url, key)
  const { project: projects = [], environment: environments = [] } = flags
  const state = await pullState(client, projects, environments)
  const file = flags.out ?? `${new URL(client.url).hostname.replaceAll(/[^\w.-]/g, '_')}.json`
  const text = `${JSON.stringify(state, undefined, 2).replaceAll(/[^\n]+/g, printable)}\n`
  await writeOut(text, { out: file }, io)
  io.stderr.write(summarize(state, file))
  return 0
}

const WORDS = { features: 'feature', projects: 'project', environments: 'environment', segments: 'segment' } as const

function summarize(state: PartialState, file: string): string {
  const sizeOf = (kind: keyof typeof WORDS) => (Array.isArray(state[kind]) ? state[kind].length : 0)
  const kinds = Object.keys(WORDS) as (keyof typeof WORDS)[]
  const lines = [
    `Read${file === '-' ? '' : ` into ${file}`}: ${kinds.map((kind) => counted(sizeOf(kind), WORDS[kind])).join(', ')}.`,
    'Not read: archived flags, users, roles, API tokens.',
    ...(file === '-' ? [] : [`Start with it: flagdouble --scenario empty --fixtures ${file}`]),
  ]
  return `${lines.join('\n')}\n`
}
