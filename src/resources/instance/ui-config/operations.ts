import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { presentUiConfig } from './present.js'
import { uiConfigSchema, uiErrorSchema } from './schema.js'

const getUiConfig = defineOperation({
  id: 'getUiConfig',
  method: 'GET',
  path: '/api/admin/ui-config',
  summary: 'The configuration of the instance, for the user interface',
  tag: 'Admin UI',
  success: { status: 200, description: 'The configuration', schema: uiConfigSchema },
  run: ({ context }) => ok({ body: presentUiConfig(context) }),
})

const uiObservability = defineOperation({
  id: 'uiObservability',
  method: 'POST',
  path: '/api/admin/record-ui-error',
  summary: 'Report an error of the user interface; nothing is stored',
  tag: 'Admin UI',
  worksInMaintenance: true,
  body: uiErrorSchema,
  success: { status: 204, description: 'Accepted' },
  run: () => ok({}),
})

export const uiConfigOperations = [getUiConfig, uiObservability] as const
