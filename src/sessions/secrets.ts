import { type OperationRow, operations } from '../api/operations.js'
import { holdsSecrets, secretFields } from '../contract/secrets.js'
import { valueAt } from '../support/json-path.js'

/** What is secret in the requests and the responses of an operation. */
export interface Secrets {
  /** Whether a field or a parameter is secret. */
  isSecret(name: string): boolean
  /** Finds the first of these names in any text. */
  readonly anyName: RegExp
}

/** Secret in every request, also as part of a longer name. */
const EVERYWHERE = 'password'

const rows = operations as readonly OperationRow[]
const known = new Map<string | null, Secrets>()

/** What is secret for an operation. For null, a request that no operation answers: what is secret for any of them. */
export function secretsOf(operation: string | null): Secrets {
  const found = known.get(operation)
  if (found !== undefined) return found
  const fields = rows.filter(({ id }) => operation === null || id === operation).flatMap(fieldsOf)
  const secrets = describe(new Set(fields.map((name) => name.toLowerCase())))
  known.set(operation, secrets)
  return secrets
}

/**
 * Whether a body is not what an operation that takes secrets expects, so that a secret may stand anywhere in it. A part
 * that is hidden already, as `isHidden` says, is none.
 */
export function isMisplaced(body: unknown, operation: string | null, isHidden: (value: unknown) => boolean): boolean {
  const schema = rows.find(({ id }) => id === operation)?.body
  if (schema === undefined || !holdsSecrets(schema)) return false
  const { error } = schema.safeParse(body)
  return error?.issues.some(({ path }) => !isHidden(valueAt(body, path))) ?? false
}

/** The operations with a secret in their path. */
export const operationsWithSecretPath: ReadonlySet<string> = new Set(
  rows.filter(({ secretParams }) => secretParams !== undefined).map(({ id }) => id),
)

/** The segments after which a path has a secret: `api-tokens`. */
export const segmentsBeforeSecret: ReadonlySet<string> = new Set(
  rows.flatMap(({ path, secretParams = [] }) => {
    const segments = path.split('/')
    return secretParams.map((name) => segments[segments.indexOf(`:${name}`) - 1] ?? '')
  }),
)

function fieldsOf({ body, query, success: { schema, view } }: OperationRow): string[] {
  const views = view === undefined ? [] : Object.values(view).map((presentation) => presentation.schema)
  return [body, query, schema, ...views].flatMap((shape) => (shape === undefined ? [] : secretFields(shape)))
}

function describe(names: ReadonlySet<string>): Secrets {
  return {
    isSecret(name) {
      const lower = name.toLowerCase()
      // `token[]` is one of several tokens.
      return lower.includes(EVERYWHERE) || names.has(lower.split('[', 1)[0] ?? '')
    },
    anyName: new RegExp([EVERYWHERE, ...names].join('|'), 'i'),
  }
}
