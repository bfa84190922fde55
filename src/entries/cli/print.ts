import { scenarios as builtIn } from '../../../scenarios/index.js'
import { createMock } from '../../engine/mock/mock.js'
import { readSources } from '../files/sources.js'
import { createStyle } from './banner.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'

/** `flagdouble openapi`: prints the OpenAPI document of the modelled operations under a profile. */
export async function openapi({ profile }: Pick<StartFlags, 'profile'>, { stdout }: Io): Promise<number> {
  await using mock = createMock(profile === undefined ? {} : { profile })
  const response = await mock.fetch(new Request('http://localhost/docs/openapi.json'))
  stdout.write(`${JSON.stringify(await response.json(), undefined, 2)}\n`)
  return 0
}

/** `flagdouble scenarios`: lists names and promises, including the scenarios of a folder. */
export async function scenarios(flags: { scenarios?: string; json?: boolean }, io: Io): Promise<number> {
  const own = await readSources({ ...flags, fixtures: [] })
  const byName = new Map([...builtIn, ...own.scenarios].map((scenario) => [scenario.name, scenario]))
  const all = [...byName.values()]
  if (flags.json) {
    const rows = all.map(({ name, title, promise }) => ({ name, title, promise }))
    io.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`)
    return 0
  }
  const { bold } = createStyle(io)
  const width = Math.max(...all.map(({ name }) => name.length))
  for (const { name, promise } of all) io.stdout.write(`${bold(name.padEnd(width))}  ${promise}\n`)
  return 0
}
