import { fail, ok } from '../../../support/result.js'
import { defineOperation, view } from '../../shared/operation.js'
import { toInstant } from '../../shared/schema.js'
import { logCreation } from '../features/actions.js'
import { environmentNames, findFeature, findInProject } from '../features/lookup.js'
import { changedFeatureView } from '../features/present.js'
import { linksFromTemplates } from '../links/rules.js'
import { cloneChecks } from './checks.js'
import { cloneFeatureRecord } from './rules.js'
import { cloneFeatureSchema } from './schema.js'

const clonedFeatureView: typeof changedFeatureView = view({
  documented: { ...changedFeatureView.documented, status: 200 },
  'unleash-8': changedFeatureView['unleash-8'],
})

const cloneFeature = defineOperation({
  id: 'cloneFeature',
  method: 'POST',
  path: '/api/admin/projects/:projectId/features/:featureName/clone',
  summary: 'Copy a feature, under a new name, to the project in the path',
  description: ({ clone: { acrossProjects } }) =>
    `Creates a copy of an existing feature flag under a new name. The copy ${
      acrossProjects ? 'can be created in any project' : 'stays in the project of its source'
    }.`,
  tag: 'Features',
  permission: 'CREATE_FEATURE',
  body: cloneFeatureSchema,
  success: { status: 201, description: 'The copy', view: clonedFeatureView },
  errors: [404, 409],
  run: ({ params, body, context, profile }) => {
    const { tables, caller } = context
    const source = profile.clone.acrossProjects
      ? findFeature(tables, params.featureName)
      : findInProject(tables, params.featureName, params.projectId)
    if (!source.ok) return source
    const { projectId } = params
    for (const check of profile.clone.checks) {
      const failure = cloneChecks[check]({ source: source.value, name: body.name, projectId, context })
      if (failure) return fail(failure)
    }

    const newId = () => context.ids.ulid(context.now.getTime())
    const copy = cloneFeatureRecord(
      source.value,
      { name: body.name, replaceGroupId: body.replaceGroupId ?? true },
      {
        now: toInstant(context.now),
        actor: caller.actor,
        project: projectId,
        environments: environmentNames(
          tables,
          projectId,
          source.value.environments.map(({ name }) => name),
        ),
        links: linksFromTemplates(tables.projects.get(projectId), body.name, newId),
        newStrategyId: newId,
      },
    )
    tables.features.insert(copy)
    logCreation(context, copy)
    return ok({ body: copy })
  },
})

export const cloneOperations = [cloneFeature] as const
