import * as z from 'zod'
import { fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext, instantOr } from '../../shared/table.js'
import { inOrder } from '../environments/rules.js'
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
  context: FixtureContext<'environments' | 'users' | 'roles'>,
): ProjectRecord {
  return {
    id: given.id,
    name: given.name ?? given.id,
    description: given.description ?? null,
    mode: given.mode ?? 'open',
    createdAt: instantOr(given.createdAt, context.now.toISOString(), context),
    updatedAt: instantOr(given.updatedAt, null, context),
    archivedAt: instantOr(given.archivedAt, null, context),
    environments: given.environments ?? inOrder(context.environments.list()).map(({ name }) => name),
    members: completeMembers(given.members ?? [], context),
    changeRequests: given.changeRequests ?? [],
    featureNaming: given.featureNaming ?? { pattern: null, example: null, description: null },
    featureLimit: given.featureLimit ?? null,
    linkTemplates: given.linkTemplates ?? [],
    ...(given.defaultStrategies === undefined ? {} : { defaultStrategies: given.defaultStrategies }),
  }
}

/** The id of an unknown user or role. Nothing has it, so the reference is reported. */
const NOBODY = 0

function completeMembers(
  given: readonly (z.infer<typeof namedMemberSchema> | Member)[],
  { users, roles }: FixtureContext<'users' | 'roles'>,
): Member[] {
  const userNamed = (name: string) => users.list().findLast(({ username }) => username === name)?.id ?? NOBODY
  const roleNamed = (wanted: string) => roles.list().findLast(({ name }) => name === wanted)?.id ?? NOBODY
  const members = new Map<string, Member>()
  for (const entry of given) {
    const isNamed = 'user' in entry
    const { id, role } = isNamed ? { id: userNamed(entry.user), role: roleNamed(entry.role) } : entry
    const key = `${id}/${role}`
    members.delete(key)
    if (!isNamed || entry.granted !== false) members.set(key, { id, role })
  }
  return [...members.values()]
}

export const projectTable = defineTable({
  record: projectRecordSchema,
  keyName: 'a project',
  key: ({ id }) => id,
  indexes: {},
  fixture: projectFixtureSchema,
  needs: ['environments', 'users', 'roles'],
  complete: completeProject,
  *references({ environments, members }) {
    for (const [i, name] of environments.entries()) yield { at: `environments[${i}]`, to: 'environments', key: name }
    for (const [i, { id, role }] of members.entries()) {
      yield { at: `members[${i}].id`, to: 'users', key: id }
      yield { at: `members[${i}].role`, to: 'roles', key: role }
    }
  },
})
