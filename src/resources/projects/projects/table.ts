import * as z from 'zod'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { type FixtureContext, instantOr } from '../../shared/table.js'
import { memberSchema, type ProjectRecord, projectRecordSchema } from './schema.js'

type Member = z.infer<typeof memberSchema>

/** A member by user name and role name; one who is not any more, where it is not granted. */
const namedMemberSchema = z.object({ user: z.string(), role: z.string(), granted: z.boolean().optional() })

/** A project as a fixture may give it: only its id is needed. */
export const projectFixtureSchema = z.strictObject({
  ...projectRecordSchema.partial().shape,
  id: z.string().min(1),
  members: z.array(z.union([namedMemberSchema, memberSchema])).optional(),
  createdAt: fixtureInstantSchema.optional(),
  updatedAt: fixtureInstantSchema.nullable().optional(),
  archivedAt: fixtureInstantSchema.nullable().optional(),
})

/** The record that a fixture means, connected to every environment where it names none. */
export function completeProject(
  given: z.infer<typeof projectFixtureSchema>,
  context: FixtureContext,
  environments: readonly string[],
): ProjectRecord {
  return {
    id: given.id,
    name: given.name ?? given.id,
    description: given.description ?? null,
    mode: given.mode ?? 'open',
    createdAt: instantOr(given.createdAt, context.now.toISOString(), context),
    updatedAt: instantOr(given.updatedAt, null, context),
    archivedAt: instantOr(given.archivedAt, null, context),
    environments: given.environments ?? [...environments],
    members: completeMembers(given.members ?? [], context),
    changeRequests: given.changeRequests ?? [],
    featureNaming: given.featureNaming ?? { pattern: null, example: null, description: null },
    featureLimit: given.featureLimit ?? null,
    linkTemplates: given.linkTemplates ?? [],
  }
}

function completeMembers(
  given: readonly (z.infer<typeof namedMemberSchema> | Member)[],
  context: FixtureContext,
): Member[] {
  let members: Member[] = []
  for (const entry of given) {
    const isNamed = 'user' in entry
    const { id, role } = isNamed ? { id: context.userNamed(entry.user), role: context.roleNamed(entry.role) } : entry
    members = members.filter((member) => member.id !== id || member.role !== role)
    if (!isNamed || entry.granted !== false) members.push({ id, role })
  }
  return members
}
