import * as z from 'zod'
import { ok } from '../../../support/result.js'
import type { OperationContext } from '../../shared/context.js'
import { findRecord } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'

const row = { tag: 'Environments', permission: 'ADMIN' } as const
const path = '/api/admin/environments'

const sortOrderSchema = z.record(z.string(), z.int()).meta({ id: 'sortOrderSchema' })

const updateSortOrder = defineOperation({
  ...row,
  id: 'updateSortOrder',
  method: 'PUT',
  path: `${path}/sort-order`,
  summary: 'Set the places of environments in their order; unknown names are ignored',
  body: sortOrderSchema,
  success: { status: 200, description: 'The order is set' },
  run: ({ body, context: { tables } }) => {
    for (const [name, sortOrder] of Object.entries(body)) {
      const environment = tables.environments.get(name)
      if (environment !== undefined) tables.environments.replace({ ...environment, sortOrder })
    }
    return ok({})
  },
})

const toggleEnvironmentOn = defineOperation({
  ...row,
  id: 'toggleEnvironmentOn',
  method: 'POST',
  path: `${path}/:name/on`,
  summary: 'Offer an environment to projects',
  success: { status: 204, description: 'It is on' },
  errors: [404],
  run: ({ params, context }) => setEnabled(context, params.name, true),
})

const toggleEnvironmentOff = defineOperation({
  ...row,
  id: 'toggleEnvironmentOff',
  method: 'POST',
  path: `${path}/:name/off`,
  summary: 'No longer offer an environment to projects; those that use it keep it',
  success: { status: 204, description: 'It is off' },
  errors: [404],
  run: ({ params, context }) => setEnabled(context, params.name, false),
})

function setEnabled({ tables }: OperationContext, name: string, enabled: boolean) {
  const environment = findRecord(tables.environments, name, 'environment')
  if (!environment.ok) return environment
  tables.environments.replace({ ...environment.value, enabled })
  return ok({})
}

export const environmentSettingOperations = [updateSortOrder, toggleEnvironmentOn, toggleEnvironmentOff] as const
