import * as z from 'zod'
import { invalidArgument } from '../../../engine/errors/arguments.js'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { expectFitting, optionSchemas, wholeNumber } from '../../../engine/mock/options.js'
import { isMock } from '../../../engine/mock/recognize.js'
import { isObject } from '../../../support/json.js'

/** A certificate and its private key, in PEM. */
export interface Certificate {
  cert: string
  key: string
}

export interface ServerOptions {
  /** 0 picks a free port. Default: 4242. */
  port?: number | undefined
  /** The address to listen on. Default: 127.0.0.1, which only this machine reaches. */
  host?: string | undefined
  /** Further hosts that requests can name, besides this machine's and the bound host. */
  allowHosts?: readonly string[] | undefined
  /**
   * A folder with a built copy of Unleash's own frontend (`frontend/build` of the npm package `unleash-server`), to be
   * served at `/`.
   */
  ui?: string | undefined
  /** Serves HTTPS with this certificate. */
  https?: Certificate | undefined
  /** The URL of an app's own backend, which receives every request that isn't for Unleash. */
  proxy?: string | undefined
}

function isBackend(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** Whether a text is a URL's host, with or without a port. */
function isHost(text: string): boolean {
  return !/[\s/?#@]/.test(text) && URL.canParse(`http://${text}`)
}

/** The schema of each server option. Options in text form use the same schemas. */
export const serverOptionSchemas = {
  port: wholeNumber(65_535),
  host: z
    .string()
    .regex(/\S/, 'must not be empty')
    .regex(/^(?!.*\/)(?![^:]*:\d+$)/, 'must be an address without scheme, port and path, such as 127.0.0.1'),
  allowHosts: z.array(
    z.string().refine(isHost, 'must be a host without a path, such as flags.example.com or flags.example.com:8080'),
  ),
  ui: z.string(),
  https: z.object({ cert: z.string(), key: z.string() }),
  proxy: z
    .string()
    .refine(
      isBackend,
      'must be a URL with http or https, without user, query and fragment, such as http://127.0.0.1:3000',
    ),
} satisfies Record<keyof ServerOptions, z.ZodType>

const optionsSchema = z.strictObject(serverOptionSchemas).partial()

/** Its errors suggest and list the options of both arguments. */
const mockOptionsSchema = z.strictObject({ ...serverOptionSchemas, ...optionSchemas }).partial()

/**
 * The options of `startServer`. Throws for invalid arguments: Node's own `listen` would read a port such as `'x'` as the
 * name of a socket in the file system.
 */
export function readServerArguments(given: unknown, options: unknown): z.infer<typeof optionsSchema> {
  if (!isObject(given)) throw invalidArgument('startServer', 'a mock or options of createMock', given)
  const isGivenMock = isMock(given, 'startServer')
  const misplaced = isGivenMock
    ? undefined
    : Object.keys(given).find((name) => Object.hasOwn(serverOptionSchemas, name))
  if (misplaced !== undefined) {
    throw new MockError(
      'INVALID_OPTION',
      `startServer takes ${misplaced} in its second argument. The first argument is a mock or options of createMock.`,
      `Write startServer({}, { ${misplaced} }).`,
    )
  }
  if (!isGivenMock) expectFitting(mockOptionsSchema, given, 'startServer')
  return expectFitting(optionsSchema, options, 'startServer')
}
