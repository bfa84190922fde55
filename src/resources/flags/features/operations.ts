import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { fail, ok } from '../../../support/result.js'
import { checkFeatureLimit, checkNaming } from '../../projects/projects/checks.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { linksFromTemplates } from '../links/rules.js'
import { checkTagsExist } from '../tags/lookup.js'
import { tagKey } from '../tags/rules.js'
import {
  featureAnswerSchemas,
  listedSchemas,
  presentChanged,
  presentListed,
  presentRead,
  readSchemas,
} from './answers.js'
import { featureName } from './checks.js'
import { logCreation } from './log.js'
import { checkNameIsFree, environmentNames, findFeatureInProject } from './lookup.js'
import { createFeatureRecord } from './rules.js'
import { createFeatureSchema, type FeatureRecord, validateFeatureSchema } from './schema.js'

const tag = 'Features'

const createFeature = defineOperation({
  id: 'createFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features',
  summary: 'Create a feature, off in every environment of its project',
  tag,
  access: 'admin',
  permission: 'CREATE_FEATURE',
  body: createFeatureSchema,
  success: { status: 201, description: 'The feature', schema: featureAnswerSchemas },
  errors: [404, 409],
  run: ({ params, body, context, profile }) => {
    const { tables, caller } = context
    const illegal = featureName.check(body.name)
    if (illegal) return fail(illegal)
    const project = findActiveProject(tables, params.projectId)
    if (!project.ok) return project
    const refusal =
      checkNameIsFree(tables, body.name) ??
      checkNaming(project.value, body.name) ??
      checkFeatureLimit(tables, project.value.id) ??
      checkTagsExist(tables, body.tags ?? [])
    if (refusal) return fail(refusal)

    const feature = createFeatureRecord(
      { ...body, createdAt: body.createdAt && toInstant(body.createdAt) },
      {
        now: context.now.toISOString(),
        actor: caller.actor,
        project: project.value.id,
        environments: environmentNames(tables, project.value.id),
        links: linksFromTemplates(project.value, body.name, context),
      },
    )
    tables.features.insert(feature)
    logCreation(context, feature)
    return ok({ body: presentChanged[profile.shapes](feature, tables) })
  },
})

const validateFeature = defineOperation({
  id: 'validateFeature',
  method: 'POST',
  path: '/api/admin/features/validate',
  summary: 'Whether a feature could have a name, in a project if one is named',
  tag,
  access: 'admin',
  body: validateFeatureSchema,
  success: { status: 200, description: 'It could' },
  errors: [409],
  run: ({ body, context: { tables } }) => {
    const project = tables.projects.get(body.projectId ?? '')
    const refusal =
      featureName.check(body.name) ?? checkNameIsFree(tables, body.name) ?? (project && checkNaming(project, body.name))
    return refusal ? fail(refusal) : ok({})
  },
})

const listQuerySchema = z.object({
  namePrefix: z.string().optional(),
  tag: z.union([z.string(), z.array(z.string())]).optional(),
})

/** Whether a feature's name begins as it is asked for, and whether it bears one of the tags (`simple:one`). */
function isAskedFor({ name, tags }: Frozen<FeatureRecord>, { namePrefix = '', tag }: z.infer<typeof listQuerySchema>) {
  const wanted = tag === undefined ? undefined : [tag].flat()
  const bearsOne = wanted === undefined || tags.some((one) => wanted.includes(tagKey(one)))
  return bearsOne && name.startsWith(namePrefix)
}

const getFeatures = defineOperation({
  id: 'getFeatures',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features',
  summary: 'The features of a project that are not archived',
  tag,
  access: 'admin',
  query: listQuerySchema,
  success: { status: 200, description: 'The features', schema: listedSchemas },
  errors: [],
  run: ({ params, query, context: { tables, caller }, profile }) => {
    const features = tables.features
      .by('activeInProject', params.projectId)
      .filter((feature) => isAskedFor(feature, query))
      .map((feature) => presentListed[profile.shapes](feature, tables, caller.id))
    return ok({ body: { version: 2, features } })
  },
})

const getFeature = defineOperation({
  id: 'getFeature',
  method: 'GET',
  path: '/api/admin/projects/:projectId/features/:featureName',
  summary: 'One feature, with its environments, strategies and variants',
  tag,
  access: 'admin',
  query: z.object({ variantEnvironments: z.string().optional() }),
  success: { status: 200, description: 'The feature', schema: readSchemas },
  errors: [404],
  run: ({ params, query, context: { tables, caller }, profile }) => {
    const found = findFeatureInProject(tables, params.featureName, params.projectId)
    if (!found.ok) return found
    const reader = { viewer: caller.id, withVariants: query.variantEnvironments === 'true' }
    return ok({ body: presentRead[profile.shapes](found.value, tables, reader) })
  },
})

export const featureOperations = [getFeature, getFeatures, createFeature, validateFeature] as const
