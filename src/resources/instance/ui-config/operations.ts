import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { presentUiConfig } from './present.js'
import { uiConfigSchema, uiErrorSchema } from './schema.js'

const getUiConfig = defineOperation({
  id: 'getUiConfig',
  method: 'GET',
  path: '/api/admin/ui-config',
  summary: 'What the instance is and can do, for the user interface',
  tag: 'Admin UI',
  access: 'admin',
  success: { status: 200, description: 'The configuration', schema: uiConfigSchema },
  errors: [],
  run: ({ context }) => ok({ body: presentUiConfig(context) }),
})

const uiObservability = defineOperation({
  id: 'uiObservability',
  method: 'POST',
  path: '/api/admin/record-ui-error',
  summary: 'Take note that the user interface failed; nothing is kept',
  tag: 'Admin UI',
  access: 'admin',
  worksInMaintenance: true,
  body: uiErrorSchema,
  success: { status: 204, description: 'Noted' },
  errors: [],
  run: () => ok({}),
})

export const uiConfigOperations = [getUiConfig, uiObservability] as const
