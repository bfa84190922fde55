import type { OperationId, OperationRow, operations } from '../../service/api/operations.js'
import type { Failure } from '../../service/contract/errors.js'
import type { MockError } from '../../service/contract/mock-errors.js'
import type { Access } from '../../service/contract/operation.js'
import type { BodyFormat, Profile } from '../../service/contract/profile.js'
import type { SdkAccess } from '../../service/resources/people/callers.js'
import type { Caller, Message } from '../../service/resources/shared/context.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Cause } from '../sessions/steps.js'
import type { World } from '../sessions/world.js'
import type { Answer } from './answer.js'

// The forms of a request on its way: Arrival, Call, Asked, Accepted, Answered. All else imports them here.

/** What an adapter knows about a request besides the request itself. */
export interface Arrival {
  /** The session of a request that names none. Default: the unnamed one. */
  session?: Session | undefined
  /** The path as it was sent, where the URL of a `Request` has lost part of it: segments that are dots. */
  sentPath?: string | undefined
  /** The headers as they were sent, names and values in turn, where they are at hand. */
  sentHeaders?: readonly string[] | undefined
  /** Where the login of the sender is kept, if not in cookies. */
  jar?: LoginJar | undefined
}

/**
 * Keeps the login of a page where the browser doesn't: it hides cookies from scripts, and drops those of responses that a
 * script makes.
 */
export interface LoginJar {
  /** The value of the cookie. Undefined if nobody is signed in. */
  secret: string | undefined
}

/** A request with everything that it names, resolved once. */
export interface Call
  extends Pick<Destination, 'path' | 'row' | 'params' | 'methods'>,
    Readonly<Pick<Arrival, 'sentHeaders' | 'jar'>> {
  readonly request: Request
  readonly trust: Trust
  readonly session: Session
  /** The world that the request belongs to. Undefined if there is a fault. */
  readonly world: World | undefined
  /** Why there is no world: the request names an unknown scenario. */
  readonly fault: MockError | undefined
  readonly options: ServiceOptions
}

/**
 * How far a request is trusted, as a browser's headers tell who sent it. What is not a browser sends none of them.
 *
 * - `trusted`: not a page, or a page of ours.
 * - `resident`: a page of the mock's own address, which isn't allowed by name. It changes nothing by GET.
 * - `visitor`: a person whom a foreign page led here: a link, or any other navigation of a whole window.
 * - `guest`: a foreign page that uses the service by CORS, or a prefetch.
 * - `blind`: a foreign page that can't see the response: an image, a form, a frame.
 */
export type Trust = 'trusted' | 'resident' | 'visitor' | 'guest' | 'blind'

/** Where a request leads. It is found once, and every policy decides by it: routing, CORS, the control API, the UI. */
export interface Destination {
  readonly place: Place
  /** The path below the base path. Undefined if it isn't below it. */
  readonly path: string | undefined
  /** The operation that it is for. Undefined if there is none. */
  readonly row?: (typeof operations)[number] | undefined
  /** The operation's parameters as they were sent, percent-encoded. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Whether flagdouble itself answers: with the control API, its panel, or its document. */
  readonly isOwn?: boolean | undefined
  /** The methods of a path that is known, but not with the one that was sent. */
  readonly methods?: readonly string[] | undefined
}

/**
 * Whose a path is. `control`: the control API's, known or not. `operation`: that of an operation, whatever the method.
 * `other`: anything else below the base path. `outside`: not below it.
 */
export type Place = 'control' | 'operation' | 'other' | 'outside'

/** What a request would be answered by: an operation, the control API, or a known path that takes other methods. */
export type MatchedBy = OperationId | 'control' | 'otherMethod'

/** What is the same for all requests to a mock. */
export interface ServiceOptions {
  readonly sessions: Sessions
  readonly profile: Profile
  /** Answers a call of the control API, and whatever else is flagdouble's own. */
  control(call: Call): Promise<Answer>
  /** The start of every link in a response. */
  readonly baseUrl: string
  /** The path that everything is below: `''` or `'/x'`. */
  readonly basePath: string
  /** The paths of a gateway, below the base path. */
  readonly paths: Paths
  readonly origins: OriginPolicy
  /** Real milliseconds since the mock was created. */
  uptime(): number
  /** Settles when all changes so far are on disk. Undefined if there is nothing to wait for. */
  durable(): Promise<void> | undefined
  /** Writes a saved scenario into the folder that scenarios come from, and returns its file. Undefined if there is none. */
  readonly writeScenario: ((scenario: Scenario) => Promise<string>) | undefined
  /** Removes the file that it has written for a scenario, unless somebody changed that since. */
  readonly removeScenarioFile: ((name: string) => Promise<void>) | undefined
}

/** The paths of a gateway, each with the path of the service that it stands for. */
export type Paths = Readonly<Record<string, string>>

/** Which pages may do what. Pages of this machine, and those that are allowed by name, are ours; others are foreign. */
export interface OriginPolicy {
  /** Whether foreign pages may use the service by CORS. */
  readonly foreignMayRead: boolean
  /** Whether foreign origins were shut out on purpose, and not only as the service does. */
  readonly isStrict: boolean
  /** Whether the service's own setting says which pages may read the frontend API. */
  readonly isAsService: boolean
  isOurs(origin: string): boolean
  /** Whether a page may read the responses of a place. Foreign ones never read those of the control API. */
  mayRead(origin: string, place: Place): boolean
}

/** The result of a step, or why the step rejects the request. */
export type Outcome<Data, Reason = Failure> =
  | { readonly data: Data; readonly failure?: undefined }
  | { readonly data?: undefined; readonly failure: Reason }

/** A request to a world, with the row that handles it. No step adds anything to it. */
export interface Asked<Row extends CheckedRow = CheckedRow> {
  readonly request: Request
  /** Those of the request, with the login of its jar. */
  readonly headers: Headers
  readonly row: Row
  readonly world: World
  readonly profile: Profile
  readonly baseUrl: string
  readonly basePath: string
  /** The path's parameters as they were sent, percent-encoded. */
  readonly rawParams: Readonly<Record<string, string>>
  readonly received: ReceivedBody
}

/** The findings of the checks, which the operation runs with. */
export interface Accepted {
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/** A check that a request must pass before its operation runs: it returns its findings, if it has any. */
export type Check = (asked: Asked, known: Accepted) => Outcome<Partial<Accepted>> | undefined

/** The answer to a request, and what the journal's entry needs besides. */
export interface Answered {
  readonly answer: Answer
  readonly caller?: Caller | undefined
  /** What the history calls the commit, if there is one. */
  readonly cause?: Cause | undefined
  /** Messages that integrations would send. */
  readonly sent?: readonly Message[] | undefined
}

/** What the checks need to know about what answers a request: an operation's row, or less for a path without one. */
export interface CheckedRow extends Partial<Omit<OperationRow, 'access'>> {
  /** The kinds of SDKs stand for a path that contains one of theirs somewhere. */
  access: Access | readonly SdkAccess[]
}

/** How a body is sent, and what came of reading it. */
export interface ReceivedBody {
  /** How it is parsed. Undefined if it is ignored: then only the journal has it. */
  readonly format: BodyFormat | undefined
  readonly charset: string
  /** Its content coding. Undefined if there is none. */
  readonly coding: string | undefined
  /** Undefined if it is not read, or could not be. */
  readonly bytes: Uint8Array | undefined
  /** The bytes as text, as far as they can be decoded. */
  readonly text: string | undefined
  /** Why the bytes aren't well-formed in their charset. Undefined if they are. */
  readonly malformed: Failure | undefined
  readonly failed: 'tooLarge' | 'broken' | undefined
}
