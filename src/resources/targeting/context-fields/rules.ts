import type { Permission } from '../../../contract/permissions.js'
import type { Frozen } from '../../../support/freeze.js'
import type { ContextFieldRecord, ContextFieldUpdate } from './schema.js'

export type LegalValues = Frozen<ContextFieldRecord['legalValues']>

/** Where context fields are changed: the whole service, whose paths have no `projectId`, or a project. */
export interface FieldPlace<Suffix extends string> {
  /** The end of its operations' ids. */
  suffix: Suffix
  path: '/api/admin/context' | '/api/admin/projects/:projectId/context'
  /** Whose fields they are, for summaries. */
  of: string
  /** Any of these is enough, too. */
  permissions: readonly Permission[]
}

export const ofService: FieldPlace<''> = { suffix: '', path: '/api/admin/context', of: '', permissions: [] }

export const ofProject: FieldPlace<'ForProject'> = {
  suffix: 'ForProject',
  path: '/api/admin/projects/:projectId/context',
  of: ' of a project',
  permissions: ['UPDATE_PROJECT_CONTEXT'],
}

/** What can be set on a context field. Only the name is required. */
export interface ContextFieldInput {
  name: string
  description?: string | null | undefined
  stickiness?: boolean | undefined
  sortOrder?: number | undefined
  legalValues?: Frozen<ContextFieldRecord['legalValues']> | undefined
  project?: string | null | undefined
}

/** A context field, with defaults for omitted fields. */
export function createContextFieldRecord(input: ContextFieldInput, createdAt: string): Frozen<ContextFieldRecord> {
  return {
    name: input.name,
    description: input.description ?? null,
    stickiness: input.stickiness ?? false,
    sortOrder: input.sortOrder ?? 0,
    legalValues: input.legalValues ?? [],
    createdAt,
    project: input.project ?? null,
  }
}

/** A context field after a PUT. What is omitted gets its default, except for the description. */
export function updatedField(
  { name, description, project, createdAt }: Frozen<ContextFieldRecord>,
  sent: ContextFieldUpdate,
): Frozen<ContextFieldRecord> {
  return createContextFieldRecord({ name, description, project, ...sent }, createdAt)
}

/** A context field that was sent, as its event shows it: as it was sent, without its position. */
export function sentFieldOf({ sortOrder: _, ...sent }: ContextFieldInput) {
  return { ...sent, stickiness: sent.stickiness ?? false }
}

/** Adds a legal value, or replaces the one that is equal to it. */
export function withLegalValue(sent: LegalValues[number]) {
  return (values: LegalValues): LegalValues =>
    values.some(({ value }) => value === sent.value)
      ? values.map((known) => (known.value === sent.value ? sent : known))
      : [...values, sent]
}

export function withoutLegalValue(removed: string) {
  return (values: LegalValues): LegalValues => values.filter(({ value }) => value !== removed)
}
