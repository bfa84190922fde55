import type { Role } from './rules.js'

export function presentBriefRole({ id, name, type, description }: Role) {
  return { id, name, type, description }
}

export function presentRole(role: Role) {
  const { permissions: _, exceptions: __, ...shown } = role
  return shown
}
