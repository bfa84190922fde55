import * as z from 'zod'
import { assigned, type Frozen } from '../../../support/freeze.js'
import { type Failure, noAccess, notFound, reject } from '../../contract/errors.js'
import type { Permission } from '../../contract/permissions.js'
import type { CloneCheck } from '../../contract/profile.js'
import { checkFeatureLimit, checkNaming, findActiveProject } from '../projects/projects.operations.js'
import type { OperationContext } from '../shared/context.js'
import { operations, post, view } from '../shared/rows.js'
import { named } from '../shared/schema.js'
import {
  type CreationContext,
  createFeatureRecord,
  emptyEnvironment,
  featureName,
  type StoredFeature,
  settingsOf,
} from './features.js'
import {
  changedFeatureView,
  checkNameIsFree,
  creationIn,
  environmentNames,
  featurePath,
  findFeature,
  findInProject,
  logCreation,
} from './features.model.js'
import { completeRollout, GRADUAL_ROLLOUT, type Strategy } from './strategies.js'
import { checkStrategy } from './strategies.model.js'
import { balanceWeights, hasWholeWeight } from './variants.js'

export const cloneFeatureSchema = named('cloneFeatureSchema', () => ({
  name: featureName.schema.meta({ description: 'Name of the new feature' }),
  replaceGroupId: z
    .boolean()
    .optional()
    .meta({ description: 'Whether strategies take the new name as their group id. Default: true', default: true }),
}))

interface CloneInput {
  name: string
  replaceGroupId: boolean
  /** Whether the strategies are made like new ones: with all parameters of a gradual rollout, and balanced weights. */
  remakes: boolean
}

/**
 * A copy of a feature. It keeps the flag's definition (type, strategies, variants, parents …), but not its history: it is
 * disabled everywhere, without tags or favorites, and created now by the caller.
 */
function cloneFeatureRecord(source: StoredFeature, input: CloneInput, creation: CreationContext): StoredFeature {
  const environments = creation.environments.map((name) => {
    const empty = emptyEnvironment(name)
    const original = source.environments.find((one) => one.name === name) ?? empty
    const strategies = original.strategies.map((strategy) => cloneStrategy(strategy, input, creation.newStrategyId()))
    return Object.assign(empty, { strategies, variants: original.variants })
  })
  const created = createFeatureRecord({ name: input.name, ...settingsOf(source) }, { ...creation, environments: [] })
  return Object.assign(created, { dependencies: source.dependencies, environments })
}

/** Sets the new group ID only if the strategy already has a group ID, because it determines which users get the feature. */
function cloneStrategy(
  strategy: Frozen<Strategy>,
  { name, replaceGroupId, remakes }: CloneInput,
  id: string,
): Frozen<Strategy> {
  const { variants, parameters } = strategy
  const replaces = replaceGroupId && Object.hasOwn(parameters, 'groupId')
  const own = replaces ? { ...parameters, groupId: name } : parameters
  return assigned(strategy, {
    id,
    variants: hasWholeWeight(variants) && !remakes ? variants : balanceWeights(variants),
    parameters: remakes && strategy.name === GRADUAL_ROLLOUT ? completeRollout(own, name) : own,
  })
}

interface CloneRequest {
  source: StoredFeature
  /** The name of the copy. */
  name: string
  /** The project of the path. */
  projectId: string
  context: OperationContext
}

/** A clone needs them where the source has strategies or variants. */
const STRATEGY = 'CREATE_FEATURE_STRATEGY'
const VARIANTS = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'

/** The checks of a clone by name, after the operation has found its source. The profile sets their order. */
const cloneChecks: Readonly<Record<CloneCheck, (request: CloneRequest) => Failure | undefined>> = {
  project({ projectId, context }) {
    findActiveProject(context.tables, projectId)
    return undefined
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
    for (const { name: environment, strategies, variants } of source.environments) {
      const lacks = (permission: Permission) => !caller.may(permission, { project, environment })
      if (strategies.length > 0 && lacks(STRATEGY)) return noAccess(STRATEGY, environment)
      if (variants.length > 0 && lacks(VARIANTS)) return noAccess(VARIANTS, environment)
    }
    return undefined
  },

  namingPattern: ({ name, projectId, context }) => checkNaming(context.tables.projects.get(projectId), name),

  featureLimit: ({ projectId, context }) => checkFeatureLimit(context.tables, projectId),

  // A request can have deleted a type or a segment since the strategy was created. Without environments, Unleash fails.
  strategies({ source, projectId, context: { tables } }) {
    if (source.environments.length === 0) return notFound(`The feature "${source.name}" is in no environment.`)
    for (const { strategies } of source.environments) {
      for (const strategy of strategies) {
        const failure = checkStrategy(tables, { ...strategy, variants: [] }, projectId)
        if (failure) return failure
      }
    }
    return undefined
  },

  parents({ source, context: { tables } }) {
    const gone = source.dependencies.find(({ feature }) => tables.features.get(feature)?.archived)
    return (
      gone && { kind: 'invalidOperation', message: `The copy would depend on "${gone.feature}", which is archived.` }
    )
  },
}

const clonedFeatureView = view({
  ...changedFeatureView,
  documented: { ...changedFeatureView.documented, status: 200 },
})

export const cloneOperations = operations('Features', {
  cloneFeature: post(`${featurePath}/clone`, {
    summary: 'Copy a feature, under a new name, to the project in the path',
    description: ({ clone: { acrossProjects } }) =>
      `Creates a copy of an existing feature flag under a new name. The copy ${
        acrossProjects ? 'can be created in any project' : 'stays in the project of its source'
      }.`,
    permission: 'CREATE_FEATURE',
    body: cloneFeatureSchema,
    success: { status: 201, description: 'The copy', view: clonedFeatureView },
    errors: [404, 409],
    run: ({ params, body, context, profile, tables }) => {
      const source = profile.clone.acrossProjects
        ? findFeature(tables, params.featureName)
        : findInProject(tables, params)
      const { projectId } = params
      for (const check of profile.clone.checks) {
        reject(cloneChecks[check]({ source, name: body.name, projectId, context }))
      }

      const environments = source.environments.map(({ name }) => name)
      const copy = cloneFeatureRecord(
        source,
        { name: body.name, replaceGroupId: body.replaceGroupId ?? true, remakes: profile.clone.remakesStrategies },
        creationIn(context, projectId, body.name, environmentNames(context.tables, projectId, environments)),
      )
      tables.features.insert(copy)
      logCreation(context, copy)
      return { body: copy }
    },
  }),
})
