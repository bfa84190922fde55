import { type AnyOperation, successStatus } from '../contract/operation.js'
import type { Profile } from '../contract/profile.js'

type Row = AnyOperation<never>

const KEYS = {
  admin: 'Needs an admin token, a personal token or a login.',
  client: 'Needs a client token.',
  frontend: 'Needs a frontend token.',
  public: 'Needs no key.',
} as const

/** A paragraph about an operation, from what its row says. */
export function describeOperation(row: Row, profile: Profile): string {
  const { access, permission, secretParams = [], worksInMaintenance, leavesOut, success } = row
  return [
    row.description?.(profile),
    `${success.description}, with status ${successStatus(row, profile)}.`,
    KEYS[access],
    permission === undefined ? undefined : `Needs the permission ${[permission].flat().join(' or ')}.`,
    secretParams.length > 0 ? `The journal does not show ${secretParams.join(', ')}.` : undefined,
    worksInMaintenance && 'Works in maintenance mode, too.',
    leavesOut && `Not modelled: ${leavesOut}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
