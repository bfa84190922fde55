import * as z from 'zod'
import type { OperationContext } from '../shared/context.js'
import { findRecord } from '../shared/lookup.js'
import { operations, post, put } from '../shared/rows.js'

const path = '/api/admin/environments'

const sortOrderSchema = z.record(z.string(), z.int()).meta({ id: 'sortOrderSchema' })

function setEnabled({ tables }: OperationContext, name: string, enabled: boolean) {
  const environment = findRecord(tables.environments, name, 'environment')
  tables.environments.replace({ ...environment, enabled })
}

export const environmentSettingOperations = operations('Environments', {
  updateSortOrder: put(`${path}/sort-order`, {
    permission: 'ADMIN',
    summary: 'Set the places of environments in their order; unknown names are ignored',
    body: sortOrderSchema,
    success: { status: 200, description: 'The order is set' },
    run: ({ body, context: { tables } }) => {
      for (const [name, sortOrder] of Object.entries(body)) {
        const environment = tables.environments.get(name)
        if (environment !== undefined) tables.environments.replace({ ...environment, sortOrder })
      }
    },
  }),

  toggleEnvironmentOn: post(`${path}/:name/on`, {
    permission: 'ADMIN',
    summary: 'Offer an environment to projects',
    success: { status: 204, description: 'It is on' },
    errors: [404],
    run: ({ params, context }) => {
      setEnabled(context, params.name, true)
    },
  }),

  toggleEnvironmentOff: post(`${path}/:name/off`, {
    permission: 'ADMIN',
    summary: 'No longer offer an environment to projects; those that use it keep it',
    success: { status: 204, description: 'It is off' },
    errors: [404],
    run: ({ params, context }) => {
      setEnabled(context, params.name, false)
    },
  }),
})
