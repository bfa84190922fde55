import { createIds } from '../../support/ids.js'
import { counted } from '../../support/text.js'
import { InventedPeople, type People, realPeople } from '../remote/people.js'
import { type Pulled, pull as pullFrom } from '../remote/pull.js'
import { type SignIn, withAdmin } from '../remote/sign-in.js'
import type { Io } from './io.js'
import { jsonText, withRemote, writeOut } from './remote.js'

interface PullFlags {
  project?: readonly string[]
  out?: string
  seed?: string
  keepPeople?: boolean
}

/** `flagdouble pull URL`: writes what a service has, as a fixture. */
export function pull(url: string, flags: PullFlags, io: Io): Promise<number> {
  return withRemote(url, io, async ({ client, progress, tell, withoutKey }) => {
    const people = flags.keepPeople ? realPeople : await otherPeople(flags.seed)
    const pulled = await pullFrom({ client, projects: flags.project ?? [], people, onProgress: progress })
    const { state, signIn } = withAdmin(pulled.state)
    const file = flags.out ?? `${new URL(client.url).hostname.replaceAll(/[^\w.-]/g, '_')}.json`
    await writeOut(withoutKey(jsonText(state)), { out: file }, io)
    tell(summarize(pulled, signIn, file, flags))
    return 0
  })
}

/** People who don't exist in place of those of the service. Without a seed, they are others each time. */
export async function otherPeople(seed: string | undefined): Promise<People> {
  const { createPeople } = await import('../../engine/generate/people.js')
  return new InventedPeople(createPeople(seed ?? createIds().hex(8)))
}

/** What people call one record of a kind, where that isn't the name of the kind without its plural. */
const NOUNS: Readonly<Record<string, string>> = {
  featureTypes: 'feature type',
  strategyTypes: 'strategy type',
  contextFields: 'context field',
  tagTypes: 'tag type',
  signupTokens: 'invitation',
}

/** Lines about what is missing that are printed. */
const TOLD = 100

function summarize(pulled: Pulled, signIn: SignIn, file: string, { keepPeople }: PullFlags): string {
  const { version, taken, listed, missed } = pulled
  const found = taken.filter(([, count]) => count > 0)
  const counts = found.map(([kind, count]) => counted(count, NOUNS[kind] ?? kind.slice(0, -1)))
  const more = missed.length > TOLD ? [`  and ${missed.length - TOLD} more`] : []
  const lines = [
    `Taken from version ${version}${file === '-' ? '' : `, written to ${file}`}: ${counts.join(', ')}.`,
    ...(listed === undefined ? [] : [`Its search lists ${counted(listed, 'feature')}.`]),
    ...(missed.length === 0 ? [] : ['Not taken:', ...missed.slice(0, TOLD).map((what) => `  ${what}`), ...more]),
    keepPeople ? 'People are those of the service.' : 'People are invented.',
    'Never copied: API tokens, passwords, the secrets of invitations, integrations, events, metrics.',
    ...(file === '-' ? [] : [`Start with it: flagdouble --scenario empty --fixtures ${file}`]),
    `Sign in as ${signIn.email} with the password ${signIn.password}: ${signIn.role}. Nobody from the service has a password.`,
  ]
  return `${lines.join('\n')}\n`
}
