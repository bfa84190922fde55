import * as z from 'zod'
import { invalidArgument } from '../../contract/arguments.js'
import { expectFitting } from '../../mock/options.js'
import { isObject } from '../../support/json.js'

export const BACKEND_SHAPE = 'http or https, without user, query and fragment, such as http://127.0.0.1:3000'

export function isBackend(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

const optionsSchema = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1, 'must name an address').optional(),
  allowHosts: z.array(z.string()).optional(),
  ui: z.string().optional(),
  https: z.union([z.boolean(), z.object({ cert: z.string(), key: z.string() })]).optional(),
  proxy: z.string().refine(isBackend, `must be a URL: ${BACKEND_SHAPE}`).optional(),
})

/**
 * Throws unless `startServer` takes these arguments. Node's own `listen` would take a port such as `'x'` for the name of
 * a socket in the file system.
 */
export function checkServerArguments(given: unknown, options: unknown): void {
  if (!isObject(given)) throw invalidArgument('startServer', 'a mock or the options of one', given)
  expectFitting(
    optionsSchema,
    options,
    'startServer',
    'It takes port (0 picks a free one), host, allowHosts (a list), ui (a folder), https (true, or { cert, key }) and proxy (a URL).',
  )
}
