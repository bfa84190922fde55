import * as z from 'zod'
import { fixtureInstantSchema } from '../common.js'
import { type FixtureContext, instantOr } from '../fixture.js'
import { type ProjectRecord, projectRecordSchema } from './schema.js'

/** A project as a fixture may give it: only its id is needed. */
export const projectFixtureSchema = z.strictObject({
  ...projectRecordSchema.partial().shape,
  id: z.string().min(1),
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
    members: given.members ?? [],
    changeRequests: given.changeRequests ?? [],
  }
}
