import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { ApiTokenRecord } from '../api-tokens/schema.js'

/** A 401 because there is no key, or none that is known. */
export function unknownKey(key: string): Failure {
  if (key !== '') {
    return {
      kind: 'unknownCredentials',
      message: 'The key in the Authorization header is unknown or has expired.',
    }
  }
  return {
    kind: 'authenticationRequired',
    message: 'This path needs a key: send it in the Authorization header.',
  }
}

/** A rejection of a token that does not work on this kind of path. */
export function wrongTokenType({ type }: Pick<Frozen<ApiTokenRecord>, 'type'>, wanted: string): Failure {
  return {
    kind: 'wrongTokenKind',
    message: `A token of the type "${type}" does not work on this path; it needs ${wanted}.`,
  }
}
