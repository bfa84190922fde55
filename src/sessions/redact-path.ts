import { none } from '../support/freeze.js'
import { decoded, hasSecretField, REDACTED, redactPairs } from './redact.js'
import { operationsWithSecretPath, type Secrets, secretsOf, segmentsBeforeSecret } from './secrets.js'

/** A path with its query, without its secrets. Most requests have none, and cost nothing. */
export function redactPath(path: string, operation: string | null): { path: string; secrets: readonly string[] } {
  const queryStart = path.indexOf('?')
  const mayHoldSecret = operation === null || operationsWithSecretPath.has(operation)
  if (queryStart === -1 && !mayHoldSecret) return { path, secrets: none }
  const found = secretsOf(operation)
  const end = queryStart === -1 ? path.length : queryStart
  const secrets: string[] = []
  const above = mayHoldSecret ? redactSegments(path.slice(0, end), found, secrets) : path.slice(0, end)
  if (queryStart === -1) return { path: above, secrets }
  const query = redactPairs(path.slice(queryStart + 1), found)
  return { path: `${above}?${query.value}`, secrets: [...secrets, ...query.secrets] }
}

/** The segments after `api-tokens` are secret, whatever the rest of the path: it may be mistyped. */
function redactSegments(path: string, fields: Secrets, secrets: string[]): string {
  let isNext = false
  const segments = path.split('/').map((segment) => {
    if (segment === '' || segment === '.') return segment
    const plain = decoded(segment)
    const pieces = plain.toLowerCase().split('/')
    const isSecret = isNext || hasSecretField(plain, fields) || pieces.slice(0, -1).some(leadsToSecret)
    isNext = leadsToSecret(pieces.at(-1) ?? '')
    if (!isSecret) return segment
    secrets.push(segment, plain)
    return REDACTED
  })
  return secrets.length === 0 ? path : segments.join('/')
}

function leadsToSecret(segment: string): boolean {
  return segmentsBeforeSecret.has(segment)
}
