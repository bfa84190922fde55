import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { createFeatureStrategySchema } from '../flags/strategies.js'
import { inOrder, nameRule } from '../shared/checks.js'
import { computed, derived, field, given, openEnum, optional } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { named, versioned } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

const environmentRecordSchema = object(() => ({
  name: given(z.string().min(1), nameRule({ shortest: 1, longest: 100 }).schema, 'The name.'),
  type: derived(
    z.string(),
    ({ name }: { name: string }) => (name === 'production' ? 'production' : 'development'),
    'The type. Default: `production` for an environment with this name, or else `development`.',
    openEnum(['development', 'test', 'preproduction', 'production']),
  ),
  sortOrder: optional(z.int(), 9999, 'The position in lists.'),
  enabled: optional(z.boolean(), true, 'Whether it is enabled.'),
}))

export type EnvironmentRecord = z.infer<typeof environmentRecordSchema>

export const briefEnvironmentSchema = named(
  'briefEnvironmentSchema',
  () => environmentRecordSchema.extend({ protected: z.boolean(), requiredApprovals: z.int().nullable() }).shape,
)

export const environmentSchema = named(
  'environmentSchema',
  () =>
    briefEnvironmentSchema.extend({ projectCount: z.int(), apiTokenCount: z.int(), enabledToggleCount: z.int() }).shape,
)

export type Environment = z.infer<typeof environmentSchema>

const projectEnvironmentSchema = named(
  'projectEnvironmentSchema',
  () =>
    briefEnvironmentSchema.extend({
      projectApiTokenCount: z.int(),
      projectEnabledToggleCount: z.int(),
      defaultStrategy: createFeatureStrategySchema.optional(),
      visible: z.boolean(),
    }).shape,
)

export type ProjectEnvironment = z.infer<typeof projectEnvironmentSchema>

export const projectEnvironmentsSchema = versioned('environmentsProjectSchema', () => ({
  environments: z.array(projectEnvironmentSchema),
}))

/** A feature's environments in Unleash's order. Most are in this order already. */
export function byEnvironment<Item extends { readonly name: string }>(
  items: readonly Item[],
  environments: { get(name: string): Frozen<EnvironmentRecord> | undefined },
): readonly Item[] {
  const orderOf = ({ name }: Item) => environments.get(name)?.sortOrder ?? 0
  const isInOrder = items.every((item, i) => orderOf(items[i - 1] ?? item) <= orderOf(item))
  return isInOrder ? items : items.toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** The given names of environments, in Unleash's order. Unknown names are dropped. */
export function environmentsInOrder(
  names: readonly string[],
  environments: readonly Pick<Frozen<EnvironmentRecord>, 'name' | 'sortOrder'>[],
): string[] {
  const wanted = new Set(names)
  return inOrder(environments).flatMap(({ name }) => (wanted.has(name) ? name : []))
}

export const environmentTable = defineTable({
  meaning: 'Environments. Only `name` is needed.',
  record: environmentRecordSchema,
  keyName: 'an environment',
  key: ({ name }) => name,
  more: {
    exists: field(z.boolean().optional(), 'False removes it, including from projects and features.'),
    protected: computed(z.boolean(), 'Always false, as in responses.'),
    requiredApprovals: computed(z.int().nullable(), 'Always null, as in responses.'),
    projectCount: computed(z.int(), 'The number of its projects, computed from `projects`.'),
    apiTokenCount: computed(z.int(), 'The number of its API tokens, computed from `apiTokens`.'),
    enabledToggleCount: computed(z.int(), 'The number of features that are on in it, computed from `features`.'),
  },
  isRemoval: ({ exists }) => exists === false,
})
