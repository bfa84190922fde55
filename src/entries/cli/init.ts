import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { PartialState } from '../../engine/scenarios/scenario.js'
import { systemCode } from '../../support/errors.js'
import { describeSystemError } from '../files/json-file.js'
import { UsageError } from '../files/usage-error.js'
import type { Io } from './io.js'

/** The fixture that `flagdouble init` writes: one record of each kind that users add first. */
const starterFixture = {
  features: [
    {
      name: 'my-first-flag',
      description: 'On in development for a quarter of the users',
      type: 'release',
      project: 'default',
      environments: [
        {
          name: 'development',
          enabled: true,
          strategies: [
            { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'my-first-flag' } },
          ],
        },
      ],
    },
  ],
  signupTokens: [{ secret: 'my-invite', name: 'My invite', expiresAt: 'now+7d' }],
  users: [{ id: 100, name: 'Ada', email: 'ada@example.com', rootRole: 2 }],
} satisfies PartialState

/** The schema of a fixture in an installed package. */
const SCHEMA = 'node_modules/flagdouble/dist/schema/state.json'

/** `flagdouble init [FILE]`: writes a starter fixture. Throws a `UsageError` if the file exists. */
export async function init(file = 'flagdouble.json', { stdout }: Pick<Io, 'stdout'>): Promise<number> {
  if (/\.(ya?ml|toml|[cm]?[jt]s)$/i.test(file)) {
    throw new UsageError(
      `init writes JSON, so it doesn't write ${file}.`,
      'Name a .json file: flagdouble init flagdouble.json',
    )
  }
  const folder = dirname(resolve(file))
  const schema = findUpwards(folder)
  const fixture = { $schema: schema ?? `./${SCHEMA}`, ...starterFixture }
  try {
    await writeFile(file, `${JSON.stringify(fixture, undefined, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    throw explainWriting(error, file)
  }
  stdout.write(`Wrote ${file}: a flag, an invite and a user to start from.\n`)
  stdout.write(`Use it:   npx flagdouble --fixtures ${file} --watch\n`)
  stdout.write(`Check it: npx flagdouble validate ${file}\n`)
  if (schema === undefined) stdout.write('Editors complete it in a project that has flagdouble installed.\n')
  return 0
}

const [START, END] = ['<!-- flagdouble: written by `flagdouble init --agents` -->', '<!-- /flagdouble -->']

/**
 * `flagdouble init --agents [FILE]`: writes the package's AGENTS.md into a file, between two marks. The rest of the file
 * stays. Throws a `UsageError` if the file has only one of the marks.
 */
export async function initAgents(file = 'AGENTS.md', { stdout }: Pick<Io, 'stdout'>): Promise<number> {
  const block = `${START}\n${(await readFile(notesOfPackage(), 'utf8')).trimEnd()}\n${END}`
  const existing = existsSync(file) ? await readFile(file, 'utf8') : ''
  const [start, end] = [existing.indexOf(START), existing.indexOf(END)]
  if ((start === -1) !== (end === -1) || start > end) {
    throw new UsageError(
      `${file} has only one of the marks ${START} and ${END}, or has them in the wrong order.`,
      'The file was left unchanged. Remove the marks and the text of flagdouble, then run the command again.',
    )
  }
  const separator = existing === '' || existing.endsWith('\n\n') ? '' : existing.endsWith('\n') ? '\n' : '\n\n'
  const text =
    start === -1
      ? `${existing}${separator}${block}\n`
      : existing.slice(0, start) + block + existing.slice(end + END.length)
  try {
    await writeFile(file, text)
  } catch (error) {
    throw explainWriting(error, file)
  }
  stdout.write(`Wrote flagdouble's notes for coding assistants into ${file}. Run the command again after an update.\n`)
  return 0
}

/** The package's own AGENTS.md, in the folder of its package.json. */
function notesOfPackage(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = join(folder, 'AGENTS.md')
    if (existsSync(found) && existsSync(join(folder, 'package.json'))) return found
    if (folder === dirname(folder)) {
      throw new UsageError(
        'This installation has no AGENTS.md.',
        'Install flagdouble as a package, as docs/quick-start.md shows.',
      )
    }
  }
}

/** The schema's path from a folder: in its own `node_modules`, or in a parent folder's. */
function findUpwards(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const found = join(current, SCHEMA)
    if (existsSync(found)) {
      // A relative reference begins with a dot, and has slashes on every system.
      const path = relative(folder, found).replaceAll('\\', '/')
      return path.startsWith('.') ? path : `./${path}`
    }
    if (current === dirname(current)) return undefined
  }
}

function explainWriting(error: unknown, file: string): UsageError {
  const code = systemCode(error)
  if (code === 'EEXIST') {
    return new UsageError(
      `${file} already exists.`,
      `The file was left unchanged. Choose another name: flagdouble init ${file.replace(/(\.\w+)?$/, '-2$1')}`,
    )
  }
  const reason = code === 'ENOENT' ? 'there is no such folder' : describeSystemError(error)
  return new UsageError(`${file} can't be written: ${reason}.`, 'Choose a file in a writable folder.')
}
