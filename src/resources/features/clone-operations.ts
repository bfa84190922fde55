import { fail, ok } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import { linksFromTemplates } from '../links/rules.js'
import { featureAnswerSchemas, presentChanged } from './answers.js'
import { cloneChecks } from './clone-checks.js'
import { logCreation } from './log.js'
import { environmentNames, findFeature, findInProject } from './lookup.js'
import { cloneFeatureRecord } from './rules.js'
import { cloneFeatureSchema } from './schema.js'

const cloneFeature = defineOperation({
  id: 'cloneFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/clone',
  summary: 'Copy a feature under a new name, into the project of the path',
  tag: 'Features',
  access: 'admin',
  permission: 'CREATE_FEATURE',
  body: cloneFeatureSchema,
  success: { status: (profile) => profile.clone.status, description: 'The copy', schema: featureAnswerSchemas },
  errors: [400, 401, 403, 404, 409, 413, 415],
  run: ({ params, body, world, profile }) => {
    const { tables, caller } = world
    const source = profile.clone.acrossProjects
      ? findFeature(tables, params.featureName)
      : findInProject(tables, params.featureName, params.projectId)
    if (!source.ok) return source
    const { projectId } = params
    for (const check of profile.clone.checks) {
      const refusal = cloneChecks[check]({ source: source.value, name: body.name, projectId, world })
      if (refusal) return fail(refusal)
    }

    const copy = cloneFeatureRecord(
      source.value,
      { name: body.name, replaceGroupId: body.replaceGroupId ?? true },
      {
        now: world.now.toISOString(),
        actor: caller.actor,
        project: projectId,
        environments: environmentNames(
          tables,
          projectId,
          source.value.environments.map(({ name }) => name),
        ),
        links: linksFromTemplates(tables.projects.get(projectId), body.name, world),
        newStrategyId: () => world.ids.ulid(world.now.getTime()),
      },
    )
    tables.features.insert(copy)
    logCreation(world, copy)
    return ok({ body: presentChanged[profile.shapes](copy, tables) })
  },
})

export const cloneOperations = [cloneFeature] as const
