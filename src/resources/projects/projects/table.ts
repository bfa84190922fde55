import * as z from 'zod'
import { roleName } from '../../people/roles/rules.js'
import { nameRule } from '../../shared/checks.js'
import { listOf, listOfNames, listOfWhole } from '../../shared/given-list.js'
import { fixtureInstant, fixtureInstantSchema } from '../../shared/schema.js'
import { defineTable, type FixtureContext, idOf, instantOr } from '../../shared/table.js'
import { inOrder } from '../environments/rules.js'
import { memberSchema, projectRecordSchema } from './schema.js'

type Member = z.infer<typeof memberSchema>

const roleSchema = z.union([z.int(), z.string()], { error: 'must be the id or the name of a role' })

/** A member by user name; one who is not any more, where it is not granted. */
const namedMemberSchema = z.object({
  /** The user name. */
  user: z.string(),
  /** The role in the project, by name or by id. */
  role: roleSchema,
  /** False takes the role away. Default: true. */
  granted: z.boolean().optional(),
})

/** A member by id. */
const numberedMemberSchema = memberSchema.extend({
  /** The role in the project, by name or by id. */
  role: roleSchema,
})

function completeMembers(
  given: readonly (z.infer<typeof namedMemberSchema> | z.infer<typeof numberedMemberSchema>)[],
  { users, roles }: FixtureContext<'users' | 'roles'>,
): Member[] {
  const members = new Map<string, Member>()
  for (const entry of given) {
    const isNamed = 'user' in entry
    const id = isNamed ? idOf(entry.user, users, ({ username }) => username) : entry.id
    const role = idOf(entry.role, roles, roleName)
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
  fixture: z.strictObject({
    ...projectRecordSchema.partial().shape,
    /** Its id, as in URLs. */
    id: nameRule({ shortest: 1, longest: 100 }).schema,
    /** The names of its environments. Default: all. */
    environments: listOfNames().optional(),
    /** Its members: a user by user name (`user`) or `id`, each with a role by name or id. */
    members: listOfWhole(z.union([namedMemberSchema, numberedMemberSchema])).optional(),
    /** The names of the environments that need change requests. */
    changeRequests: listOfNames().optional(),
    /** Templates of links that new features get. */
    linkTemplates: listOf(projectRecordSchema.shape.linkTemplates.element, { by: 'title' }).optional(),
    /** When it was created. Default: the start of the world. */
    createdAt: fixtureInstantSchema.optional(),
    /** When it was last changed. Default: null. */
    updatedAt: fixtureInstantSchema.nullable().optional(),
    /** When it was archived. Default: null, not at all. */
    archivedAt: fixtureInstantSchema.nullable().optional(),
    /** A rating, as responses have it. */
    health: z.number().optional(),
    /** A rating, as responses have it. */
    technicalDebt: z.number().optional(),
    /** The number of its features. It must agree with `features`. */
    featureCount: z.int().optional(),
    /** The number of its members. It must agree with `members`. */
    memberCount: z.int().optional(),
    /** The time of its latest event, as responses have it. */
    lastUpdatedAt: z.string().nullable().optional(),
    /** Always null, as responses have it. */
    lastReportedFlagUsage: z.string().nullable().optional(),
    /** What is done and to do in it, as responses have it. */
    onboardingStatus: z.record(z.string(), z.string()).optional(),
    /** Its owners, as responses have them. See `members`. */
    owners: z.array(z.record(z.string(), z.unknown())).optional(),
    /** Whether a user marked it as a favorite. It must agree with `favorites`. */
    favorite: z.boolean().optional(),
  }),
  needs: ['environments', 'users', 'roles'],
  complete: (given, context) => ({
    id: given.id,
    name: given.name ?? given.id,
    description: given.description ?? null,
    mode: given.mode ?? 'open',
    createdAt: fixtureInstant(given.createdAt ?? 'now', context.now),
    updatedAt: instantOr(given.updatedAt, null, context),
    archivedAt: instantOr(given.archivedAt, null, context),
    environments: given.environments ?? inOrder(context.environments.list()).map(({ name }) => name),
    members: completeMembers(given.members ?? [], context),
    changeRequests: given.changeRequests ?? [],
    featureNaming: given.featureNaming ?? { pattern: null, example: null, description: null },
    featureLimit: given.featureLimit ?? null,
    linkTemplates: given.linkTemplates ?? [],
    ...(given.defaultStrategies === undefined ? {} : { defaultStrategies: given.defaultStrategies }),
  }),
  *references({ environments, changeRequests, members }) {
    for (const [i, name] of environments.entries()) yield { at: `environments[${i}]`, to: 'environments', key: name }
    for (const [i, name] of changeRequests.entries()) {
      yield { at: `changeRequests[${i}]`, to: 'environments', key: name, isLoose: true }
    }
    for (const [i, { id, role }] of members.entries()) {
      yield { at: `members[${i}].id`, orAt: `members[${i}].user`, to: 'users', key: id }
      yield { at: `members[${i}].role`, to: 'roles', key: role }
    }
  },
})
