import { type Failure, noAccess, notFound } from '../../../contract/errors.js'
import type { CloneCheck } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import { checkFeatureLimit, checkNaming } from '../../projects/projects/checks.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import type { OperationContext } from '../../shared/context.js'
import { checkNameIsFree } from '../features/checks.js'
import { type FeatureRecord, featureName } from '../features/schema.js'
import { checkCopiedStrategy } from '../strategies/checks.js'
import { permissionsToCopy } from './rules.js'

interface CloneRequest {
  source: Frozen<FeatureRecord>
  /** The name of the copy. */
  name: string
  /** The project of the path. */
  projectId: string
  context: OperationContext
}

/** The checks of a clone by name, once its source is found. The profile sets their order. */
export const cloneChecks: Readonly<Record<CloneCheck, (request: CloneRequest) => Failure | undefined>> = {
  project({ projectId, context }) {
    const project = findActiveProject(context.tables, projectId)
    return project.ok ? undefined : project.failure
  },

  changeRequests({ projectId, context }) {
    if (!context.tables.projects.get(projectId)?.changeRequests.length) return undefined
    const message = `The project ${projectId} has change requests enabled, so features can't be cloned into it.`
    return { kind: 'forbidden', message }
  },

  name: ({ name }) => featureName.check(name),

  nameIsFree: ({ name, context }) => checkNameIsFree(context.tables, name),

  sourceIsActive: ({ source }) =>
    source.archived ? notFound(`The feature "${source.name}" is archived, so it can't be cloned.`) : undefined,

  permissions({ source, projectId: project, context: { caller } }) {
    const missing = permissionsToCopy(source).find(
      ({ permission, environment }) => !caller.may(permission, { project, environment }),
    )
    return missing && noAccess(missing.permission, missing.environment)
  },

  namingPattern: ({ name, projectId, context }) => checkNaming(context.tables.projects.get(projectId), name),

  featureLimit: ({ projectId, context }) => checkFeatureLimit(context.tables, projectId),

  strategies({ source, projectId, context: { tables } }) {
    for (const { strategies } of source.environments) {
      for (const strategy of strategies) {
        const failure = checkCopiedStrategy(tables, strategy, projectId)
        if (failure) return failure
      }
    }
    return undefined
  },

  parents({ source, context: { tables } }) {
    const gone = source.dependencies.find(({ feature }) => tables.features.get(feature)?.archived !== false)
    return (
      gone && { kind: 'invalidOperation', message: `The copy would depend on "${gone.feature}", which is archived.` }
    )
  },
}
