import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { compileExpression, LARGEST_EXPRESSION } from '../../../support/linear-expression.js'
import { MOST_LINKS } from '../flags/links.js'
import { createFeatureStrategySchema } from '../flags/strategies.js'
import { roleName } from '../people/roles.js'
import { inOrder, nameRule } from '../shared/checks.js'
import { completed, computed, derived, field, given, givenShape, instant, optional, written } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { instantSchema, named, versioned } from '../shared/schema.js'
import { defineTable, type FixtureContext, idOf } from '../shared/table.js'

const memberSchema = object(() => ({
  id: field(z.int(), 'The ID of the user.'),
  /** The ID of the role in the project. */
  role: field(z.int(), 'The role in the project, by name or ID.'),
}))

const roleSchema = z.union([z.int(), z.string()], { error: 'must be the id or the name of a role' })

/** A member by user name. With `granted: false`, it removes an earlier entry of the list. */
const namedMemberSchema = object(() => ({
  user: field(z.string(), 'The user name.'),
  role: field(roleSchema, 'The role in the project, by name or ID.'),
  granted: field(z.boolean().optional(), 'False removes an earlier entry of the list. Default: true.'),
}))

/** A member by ID. */
const numberedMemberSchema = memberSchema.extend({
  role: field(roleSchema, 'The role in the project, by name or ID.'),
})

const featureNamingSchema = object(() => ({
  pattern: optional(
    z
      .string()
      .refine(isPattern, { error: 'must be a regular expression', abort: true })
      .refine((text) => compileExpression(text, { syntax: 'javascript' }) !== undefined, {
        error: `must be a regular expression without lookarounds and backreferences, of at most ${LARGEST_EXPRESSION} characters with repetitions written out`,
      })
      .nullable(),
    null,
    'A regular expression for the whole name; null for none.',
  ),
  example: optional(z.string().nullable(), null, 'An example of a matching name.'),
  description: optional(z.string().nullable(), null, 'The pattern in words.'),
}))

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== undefined
  } catch {
    return false
  }
}

const linkTemplateSchema = object(() => ({
  title: field(z.string().nullable(), 'The text of the link.'),
  urlTemplate: field(z.string(), 'The URL; `{{project}}` and `{{feature}}` are replaced.'),
}))

/** A project as stored: with the names of its environments. */
const projectRecordSchema = object(() => ({
  id: given(z.string().min(1), nameRule({ shortest: 1, longest: 100 }).schema, 'The ID, as in URLs.'),
  name: derived(z.string(), ({ id }: { id: string }) => id, 'The display name. Default: the ID.'),
  description: optional(z.string().nullable(), null, 'The description.'),
  mode: optional(z.enum(['open', 'protected', 'private']), 'open', 'Its access mode.'),
  createdAt: written(instant('now', 'The time of creation.')),
  updatedAt: written(instant(null, 'The time of the last change.')),
  archivedAt: instant(null, "The time of archiving; null if it isn't archived."),
  environments: given(
    z.array(z.string()),
    z.array(z.string()).optional(),
    'The names of its environments. Default: all.',
  ),
  members: given(
    z.array(memberSchema),
    z.array(z.union([namedMemberSchema, numberedMemberSchema])).optional(),
    'Its members: each a user by user name (`user`) or `id`, with a role by name or ID.',
  ),
  changeRequests: given(
    z.array(z.string()),
    z.union([z.array(z.string()), z.boolean()]).optional(),
    'The names of the environments that need change requests; `true` for all. Cloning into the project is then rejected; other changes pass.',
  ),
  featureNaming: given(
    featureNamingSchema,
    z.object(givenShape(featureNamingSchema)).optional(),
    'The naming pattern for its features.',
  ),
  featureLimit: optional(z.int().min(0).nullable(), null, 'The maximum number of features; null for no limit.'),
  linkTemplates: optional(
    z.array(linkTemplateSchema).max(MOST_LINKS, `must have at most ${MOST_LINKS} items`),
    [],
    'Links of every new feature; `{{project}}` and `{{feature}}` are replaced by their names.',
  ),
  defaultStrategies: field(
    z.record(z.string(), createFeatureStrategySchema).optional(),
    'By environment, the default strategy of a feature that is enabled without strategies.',
  ),
}))

export type ProjectRecord = z.infer<typeof projectRecordSchema>

export type StoredProject = Frozen<ProjectRecord>

const ownerSchema = z.union([
  z.object({ ownerType: z.literal('user'), name: z.string(), email: z.string().nullable(), imageUrl: z.string() }),
  z.object({ ownerType: z.literal('system') }),
])

export type Owner = z.infer<typeof ownerSchema>

const onboardingStatusSchema = z.union([
  z.object({ status: z.literal('onboarding-started') }),
  z.object({ status: z.literal('first-flag-created'), feature: z.string() }),
  z.object({ status: z.enum(['sdk-connected', 'onboarded']) }),
])

export type OnboardingStatus = z.infer<typeof onboardingStatusSchema>

/** A project in a list. */
export const projectSchema = named('projectSchema', () => ({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  health: z.number(),
  technicalDebt: z.number(),
  featureCount: z.int(),
  memberCount: z.int(),
  mode: z.string(),
  createdAt: instantSchema,
  archivedAt: instantSchema.nullable(),
  lastUpdatedAt: instantSchema.nullable(),
  lastReportedFlagUsage: instantSchema.nullable(),
  onboardingStatus: onboardingStatusSchema,
  owners: z.array(ownerSchema),
  favorite: z.boolean(),
}))

export type Project = z.infer<typeof projectSchema>

export const projectsSchema = versioned('projectsSchema', () => ({ projects: z.array(projectSchema) }))

/** Unleash's list: without favorites if the caller isn't a user. */
export const serviceProjectsSchema = versioned('serviceProjectsSchema', () => ({
  projects: z.array(projectSchema.partial({ favorite: true }).extend({ cleanupCount: z.int().optional() })),
}))

export const statsSchema = named('projectStatsSchema', () => ({
  avgTimeToProdCurrentWindow: z.number(),
  createdCurrentWindow: z.int(),
  createdPastWindow: z.int(),
  archivedCurrentWindow: z.int(),
  archivedPastWindow: z.int(),
  projectActivityCurrentWindow: z.int(),
  projectActivityPastWindow: z.int(),
  projectMembersAddedCurrentWindow: z.int(),
}))

export type ProjectStats = z.infer<typeof statsSchema>

/** The numbers of active features that are fresh, that should be stale by their age, and that are stale. */
export const stalenessSchema = object(() => ({
  activeCount: z.int(),
  potentiallyStaleCount: z.int(),
  staleCount: z.int(),
}))

export type StalenessCounts = z.infer<typeof stalenessSchema>

export const projectOverviewSchema = named('projectOverviewSchema', () => ({
  stats: statsSchema,
  name: z.string(),
  description: z.string().nullable(),
  mode: z.string(),
  featureLimit: z.int().nullable(),
  featureNaming: featureNamingSchema,
  linkTemplates: z.array(linkTemplateSchema),
  defaultStickiness: z.string(),
  health: z.number(),
  technicalDebt: z.number(),
  favorite: z.boolean(),
  updatedAt: instantSchema.nullable(),
  archivedAt: instantSchema.nullable().optional(),
  createdAt: instantSchema,
  onboardingStatus: onboardingStatusSchema,
  environments: z.array(z.object({ environment: z.string(), defaultStrategy: createFeatureStrategySchema.optional() })),
  featureTypeCounts: z.array(z.object({ type: z.string(), count: z.int() })),
  members: z.int(),
  version: z.literal(1),
}))

const stageSummarySchema = object(() => ({ averageDays: z.number().nullable(), currentFlags: z.int() }))

export const projectStatusSchema = named('projectStatusSchema', () => ({
  resources: z.object({ members: z.int(), apiTokens: z.int(), segments: z.int() }),
  activityCountByDate: z.array(z.object({ date: z.string(), count: z.int() })),
  health: z.object({ current: z.number() }),
  technicalDebt: z.object({ current: z.number() }),
  lifecycleSummary: z.object({
    initial: stageSummarySchema,
    preLive: stageSummarySchema,
    live: stageSummarySchema,
    completed: stageSummarySchema,
    archived: z.object({ currentFlags: z.int(), last30Days: z.int() }),
  }),
  staleFlags: z.object({ total: z.int() }),
}))

export const flagCreatorSchema = object(() => ({ id: z.int(), name: z.string() }))

export type FlagCreator = z.infer<typeof flagCreatorSchema>

export const flagCreatorsSchema = named('flagCreatorsSchema', () => ({
  flagCreators: z.array(flagCreatorSchema),
  total: z.int(),
}))

type Member = z.infer<typeof memberSchema>

function usernameOf({ username }: { username: string | null }): string | null {
  return username
}

function completeMembers(
  given: readonly (z.infer<typeof namedMemberSchema> | z.infer<typeof numberedMemberSchema>)[],
  { users, roles }: FixtureContext,
): Member[] {
  const members = new Map<string, Member>()
  for (const entry of given) {
    const isNamed = 'user' in entry
    const id = isNamed ? idOf(entry.user, users, usernameOf) : entry.id
    const role = idOf(entry.role, roles, roleName)
    const key = `${id}/${role}`
    members.delete(key)
    if (!isNamed || entry.granted !== false) members.set(key, { id, role })
  }
  return [...members.values()]
}

function connect(names: readonly string[], connected: Readonly<Record<string, boolean>>): string[] {
  const added = Object.keys(connected).filter((name) => connected[name] && !names.includes(name))
  return [...names.filter((name) => connected[name] !== false), ...added]
}

export const projectTable = defineTable({
  meaning: 'Projects. Only `id` is needed.',
  record: projectRecordSchema,
  keyName: 'a project',
  key: ({ id }) => id,
  more: {
    connected: field(
      z.record(z.string(), z.boolean()).optional(),
      'Connects or disconnects single environments, by name.',
    ),
    health: field(z.number().optional(), 'A rating, as in responses.'),
    technicalDebt: field(z.number().optional(), 'A rating, as in responses.'),
    featureCount: computed(z.int(), 'The number of its features, computed from `features`.'),
    memberCount: computed(z.int(), 'The number of its members, computed from `members`.'),
    lastUpdatedAt: field(z.string().nullable().optional(), 'The time of its latest event, as in responses.'),
    lastReportedFlagUsage: field(
      z.string().nullable().optional(),
      'The time of the latest use of its features, as in responses.',
    ),
    cleanupCount: field(z.int().optional(), 'The number of its completed features, as in responses.'),
    onboardingStatus: field(z.record(z.string(), z.string()).optional(), 'Its onboarding status, as in responses.'),
    owners: field(z.array(z.record(z.string(), z.unknown())).optional(), 'Its owners, as in responses. See `members`.'),
    favorite: computed(z.boolean(), "Whether it is a user's favorite, computed from `favorites`."),
  },
  own: ({ environments, connected = {}, changeRequests = [], members = [], featureNaming = {} }, context) => {
    const all = inOrder(context.environments.list()).map(({ name }) => name)
    return {
      featureNaming: completed(featureNamingSchema, featureNaming, context),
      environments: connect(environments ?? all, connected),
      changeRequests: typeof changeRequests === 'boolean' ? (changeRequests ? all : []) : changeRequests,
      members: completeMembers(members, context),
    }
  },
  *references({ environments, changeRequests, members }) {
    for (const [i, name] of environments.entries()) yield { at: `environments[${i}]`, to: 'environments', key: name }
    for (const [i, name] of changeRequests.entries()) {
      yield { at: `changeRequests[${i}]`, to: 'environments', key: name, onWriting: true }
    }
    for (const [i, { id, role }] of members.entries()) {
      yield { at: `members[${i}].id`, orAt: `members[${i}].user`, to: 'users', key: id }
      yield { at: `members[${i}].role`, to: 'roles', key: role }
    }
  },
})
