import { ok } from '../../support/result.js'
import { defineOperation } from '../define-operation.js'
import { presentUiConfig } from './present.js'
import { uiConfigSchema } from './schema.js'

const getUiConfig = defineOperation({
  id: 'getUiConfig',
  method: 'GET',
  path: '/api/admin/ui-config',
  summary: 'What the instance is and can do, for the user interface',
  tag: 'Admin UI',
  access: 'admin',
  success: { status: 200, description: 'The configuration', schema: uiConfigSchema },
  errors: [401],
  run: ({ world }) => ok({ body: presentUiConfig(world) }),
})

export const uiConfigOperations = [getUiConfig] as const
