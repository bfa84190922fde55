import type { OperationId, OperationRow, operations } from '../../service/api/operations.js'
import type { Failure, Outcome } from '../../service/contract/errors.js'
import type { Access } from '../../service/contract/operation.js'
import type { BodyFormat, Profile } from '../../service/contract/profile.js'
import type { SdkAccess } from '../../service/resources/people/callers.js'
import type { FlagStates } from '../../service/resources/sdk/told-features.js'
import type { Caller, Message } from '../../service/resources/shared/context.js'
import type { MockError } from '../errors/mock-errors.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { CoverageCounter } from '../sessions/flag-counter.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Cause } from '../sessions/steps.js'
import type { World } from '../sessions/world.js'
import type { Answer, BrokenConnection } from './answer.js'

// The forms of a request on its way: `Arrival`, `Call`, `Accepted`, `Answered`. Other modules import them from here.

/** An adapter's information about a request, besides the request itself. */
export interface Arrival {
  /** The session of a request that names none. Default: the shared session. */
  session?: Session | undefined
  /** The path as sent, because the URL of a `Request` loses segments that are dots. */
  sentPath?: string | undefined
  /** The headers as sent, if available: names and values in turn. */
  sentHeaders?: readonly string[] | undefined
  /** The store of the sender's login, if it isn't in cookies. */
  jar?: LoginJar | undefined
  /** The body of a GET, which a standard `Request` can't have, in a request with another method. */
  withBody?: (() => Request) | undefined
}

/**
 * Stores a page's login where the browser can't: it hides cookies from scripts, and ignores cookies in responses that a
 * script creates.
 */
export interface LoginJar {
  /** The value of the cookie. Undefined if nobody is signed in. */
  secret: string | undefined
}

/** A request with everything that it names, resolved once. It stays the same object until its response is delivered. */
export interface Call<Row extends CheckedRow = CheckedRow>
  extends Pick<Destination, 'path' | 'rawParams' | 'methods'>,
    Readonly<Pick<Arrival, 'sentHeaders' | 'jar' | 'withBody'>> {
  readonly request: Request
  /** Whether a program or one of our pages sent it, and not a page of another site. */
  readonly isTrusted: boolean
  /** The page that sent it, if the page's address selects a scenario. */
  readonly page: SelectingPage | undefined
  /** The headers of the request, with the login of its jar. */
  readonly headers: Headers
  /** The row of its operation or, for a path without an operation, the data that its checks need. */
  readonly row: Row
  readonly session: Session
  /** The world that the request belongs to. Undefined if the request has an error. */
  readonly world: World | undefined
  /** The states of flags that SDKs are told: the session's and, on top of them, the request's own. */
  readonly states: FlagStates
  /** The reason for a missing world: the request names an unknown scenario. */
  readonly error: MockError | undefined
  readonly mock: ServedMock
  /** The arrival time, by the clock of its world. */
  readonly time: number
  /** The real milliseconds since the arrival. */
  readonly elapsed: () => number
  /** Whether steps had changed the data before the request came. */
  readonly followsChanges: boolean
  /** Its body, once it has been read. */
  received: ReceivedBody
  /** A hint on a name in the request that nothing reads. */
  hint: string | undefined
}

/** A call that names a world, so an operation can handle it. */
export interface CallInWorld<Row extends CheckedRow = CheckedRow> extends Call<Row> {
  readonly world: World
}

/** A page whose address selects a scenario for its requests. */
export interface SelectingPage {
  readonly query: URLSearchParams
  /** The scenario in the browser's cookie, which takes precedence over another one in the address. Empty without one. */
  readonly cookie: string
}

/** The destination of a request. It is determined once, for every policy: routing, CORS, the control API, the UI. */
export interface Destination {
  readonly place: Place
  /** The path below the base path. Undefined outside the base path. */
  readonly path: string | undefined
  /** The operation of the destination. Undefined if it has none. */
  readonly row?: (typeof operations)[number] | undefined
  /** The operation's parameters as sent, percent-encoded. */
  readonly rawParams?: Readonly<Record<string, string>> | undefined
  /** Whether flagdouble itself responds: with the control API, its panel, or its document. */
  readonly isMockPath?: boolean | undefined
  /** The methods of a known path that doesn't accept the request's method. */
  readonly methods?: readonly string[] | undefined
}

/**
 * The owner of a path. `control`: the control API's, known or not. `operation`: an operation's, with any method. `other`:
 * anything else below the base path. `outside`: not below it.
 */
export type Place = 'control' | 'operation' | 'other' | 'outside'

/** The handler of a request: an operation, the control API, or a known path with other methods. */
export type MatchedBy = OperationId | 'control' | 'otherMethod'

/** The mock that requests reach. */
export interface ServedMock {
  readonly sessions: Sessions
  readonly profile: Profile
  readonly coverage: CoverageCounter
  /** Handles a call of the control API, and flagdouble's other own paths. */
  control(call: Call): Promise<Answer>
  /** The start of every link in a response. */
  readonly baseUrl: string
  /** The path that prefixes every route: `''` or `'/x'`. */
  readonly basePath: string
  /** The path of the app that the same server serves. Undefined if it serves none. */
  readonly appPath: string | undefined
  /** The paths of a gateway, below the base path. */
  readonly paths: Paths
  /** Origins whose pages are ours, in addition to those of this machine and of the mock's own host name. */
  readonly allowOrigins: readonly string[]
  /** The OpenAPI documents so far, by version and address: generating one takes a while. */
  readonly documents: Map<string, Promise<unknown>>
  /** Real milliseconds since the mock was created. */
  uptime(): number
  /** Settles when all changes so far are on disk. Undefined if nothing is pending. */
  saved(): Promise<void> | undefined
  /** Makes the data of a world the start of all sessions. Throws `INVALID_STATE`, and changes nothing, if that fails. */
  takeStart(world: World, by: string): Promise<void>
  /** Returns all sessions to the start of the files. */
  leaveStart(): void
  /** The folder for saved scenarios. Undefined without one. */
  readonly scenarioFolder: ScenarioFolder | undefined
}

/** A folder with a file for each saved scenario. */
export interface ScenarioFolder {
  /** Writes a new file. Resolves to its path. */
  write(scenario: Scenario): Promise<string>
  /** Removes the file that it has written for a scenario, unless a user has changed it since. */
  remove(name: string): Promise<void>
}

/** The paths of a gateway, each with its path in Unleash. */
export type Paths = Readonly<Record<string, string>>

/** The findings of the checks, for the operation. */
export interface Accepted {
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/** A check that a request must pass before its operation runs: it returns its findings, if any. */
export type Check = (call: CallInWorld, known: Accepted) => Outcome<Partial<Accepted>> | undefined

/** The response to a request, with further data for the journal's entry. */
export interface Answered {
  readonly answer: Answer
  readonly caller?: Caller | undefined
  /** The commit's cause in the history, if the request made a commit. */
  readonly cause?: Cause | undefined
  /** The client that gave up before it got the response. The request can have changed something. */
  readonly gone?: BrokenConnection | undefined
  /** Messages that integrations would send. */
  readonly sent?: readonly Message[] | undefined
}

/** The data that the checks need about a request's handler: an operation's row, or less for a path without an operation. */
export interface CheckedRow extends Partial<Omit<OperationRow, 'access'>> {
  /** The kinds of SDKs, for a path that contains an SDK path somewhere. */
  access: Access | readonly SdkAccess[]
}

/** The form of a body, and the result of reading it. */
export interface ReceivedBody {
  /** The format for parsing. Undefined for an ignored body, which only the journal uses. */
  readonly format: BodyFormat | undefined
  readonly charset: string
  /** Its content coding. Undefined without one. */
  readonly coding: string | undefined
  /** Undefined if the body was not read, or reading failed. */
  readonly bytes: Uint8Array | undefined
  /** The bytes as text, as far as they can be decoded. */
  readonly text: string | undefined
  /** The reason why the bytes are malformed in their charset. Undefined if they are well-formed. */
  readonly malformed: Failure | undefined
  readonly failed: 'tooLarge' | 'broken' | undefined
}
