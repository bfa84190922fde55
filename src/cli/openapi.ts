import { createMock } from '../mock/mock.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'

/** `flagdouble openapi`: prints the OpenAPI document of the modelled operations, as a profile answers them. */
export async function openapi({ profile }: Pick<StartFlags, 'profile'>, { stdout }: Io): Promise<number> {
  await using mock = createMock(profile === undefined ? {} : { profile })
  const response = await mock.fetch(new Request('http://localhost/docs/openapi.json'))
  stdout.write(`${JSON.stringify(await response.json(), undefined, 2)}\n`)
  return 0
}
