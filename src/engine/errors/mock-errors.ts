import type { DataFault } from '../../service/resources/shared/table.js'

/** flagdouble's own errors, as opposed to Unleash's: each code with its HTTP status and meaning, as docs/errors.md lists them. */
export const mockErrors = {
  UNKNOWN_SCENARIO: { status: 400, meaning: 'the named scenario does not exist' },
  TOO_MANY_SCENARIOS: {
    status: 400,
    meaning: 'more than 10 scenarios are combined, or the states of flags are too long',
  },
  UNMODELLED_ROUTE: { status: 501, meaning: 'the path is not modelled' },
  INVALID_STATE: {
    status: 400,
    meaning: 'a fixture or snapshot breaks the schema or refers to a record that does not exist',
  },
  INVALID_SCENARIO: { status: 400, meaning: 'a scenario is not well-formed' },
  SCENARIO_EXISTS: { status: 409, meaning: 'the name for a saved scenario is already taken' },
  INVALID_RULE: { status: 400, meaning: 'a rule is invalid' },
  INVALID_CLOCK: { status: 400, meaning: 'the clock was given something other than a date or a duration' },
  INVALID_OPTION: {
    status: 400,
    meaning: 'an option of createMock or of the command line is unknown or has an invalid value',
  },
  INVALID_ARGUMENT: { status: 400, meaning: 'a function got an invalid argument' },
  INVALID_REQUEST: { status: 400, meaning: 'a control call is invalid' },
  INVALID_REDIRECT: { status: 400, meaning: 'a QA link redirects to something other than a path on the same origin' },
  UNKNOWN_RULE: { status: 404, meaning: 'no rule has this id' },
  UNKNOWN_COMMIT: { status: 404, meaning: 'no history entry has this id, or the entry was dropped' },
  UNKNOWN_CONTROL_PATH: { status: 404, meaning: 'the control API has no such call' },
  HOST_NOT_ALLOWED: { status: 403, meaning: 'the Host header names a host that is not allowed' },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    meaning:
      'a page of another site used more than the frontend API, or a browser sent a request before its user opened the page',
  },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: 'the body of a control call is larger than 1 MiB, or a state is larger than 32 MiB',
  },
  MALFORMED_REQUEST: { status: 400, meaning: 'the request is not well-formed HTTP' },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'the headers of a request are larger than 16 KiB' },
  NOTHING_CAME: { status: 408, meaning: 'the awaited request never arrived' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'a request was not completed in time' },
  TOO_MANY_READERS: { status: 503, meaning: 'too many clients are subscribed to `/__mock/events`' },
  TOO_MUCH_DATA: {
    status: 507,
    meaning:
      'the request would exceed a data limit (docs/limits.md), or its response would be longer than a string can be',
  },
  ACCESS_NOT_SET: { status: 503, meaning: 'on Cloudflare Workers, no access key is set, so nothing is served' },
  ACCESS_REQUIRED: { status: 401, meaning: 'on Cloudflare Workers, a request came without the access key' },
  STATE_UNREADABLE: {
    status: 500,
    meaning: "on Cloudflare Workers, the stored data of a session can't be read",
  },
  NOT_READY: {
    status: 503,
    meaning:
      "data was read before it was ready, a scenario started again while a request to it waited, or a page's worker can't start",
  },
  UNMATCHED_RULES: { status: 500, meaning: 'a test ended before any request matched its rule' },
  UNMATCHED_REQUESTS: { status: 500, meaning: 'some requests matched no operation' },
  STATE_NOT_SAVED: {
    status: 500,
    meaning:
      'a change could not be written: to the state file (with `--state-sync`), to the folder of scenarios, or on Cloudflare Workers',
  },
  BACKEND_UNREACHABLE: { status: 502, meaning: 'the backend of `--proxy` did not respond' },
  INTERNAL: { status: 500, meaning: 'a bug in flagdouble' },
} as const satisfies Record<string, { status: number; meaning: string }>

export type MockErrorCode = keyof typeof mockErrors

/**
 * A mistake in the use of flagdouble. Over HTTP, the header `x-mock-error` carries its code. Its message ends with the
 * hint, because test runners print only the message.
 */
export class MockError extends Error {
  override readonly name = 'MockError'
  /** The kind of mistake, such as `UNKNOWN_SCENARIO`. */
  readonly code: MockErrorCode
  /** The message without the hint. */
  readonly problem: string
  /** How to fix it. */
  readonly hint: string
  /** Every error, if the mistake is in seed data. */
  readonly faults: readonly DataFault[]
  /** The file with the mistake, if it is known. */
  readonly file: string | undefined
  /** The names that were perhaps meant, if the mistake is in the name of a scenario. */
  readonly meant: readonly string[]

  constructor(
    code: MockErrorCode,
    problem: string,
    hint: string,
    faults: readonly DataFault[] = [],
    options?: ErrorOptions & { file?: string | undefined; meant?: readonly string[] },
  ) {
    super(`${problem}\nhint: ${hint}`, options)
    this.code = code
    this.problem = problem
    this.hint = hint
    this.faults = faults
    this.file = options?.file
    this.meant = options?.meant ?? []
  }

  get status(): number {
    return mockErrors[this.code].status
  }

  /** The body of the HTTP response. Not called `toJSON`: test runners would serialize it without the hint. */
  toAnswer() {
    return { name: this.name, code: this.code, message: this.problem, hint: this.hint }
  }
}

/** The error of flagdouble itself that a function throws. Undefined if it throws none; any other error is thrown on. */
export function faultOf(run: () => unknown): MockError | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof MockError) return error
    throw error
  }
}
