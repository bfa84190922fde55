import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { recordInstances } from './actions.js'
import { clientApplicationSchema, frontendClientSchema } from './schema.js'

const registerClientApplication = defineOperation({
  id: 'registerClientApplication',
  method: 'POST',
  path: '/api/client/register',
  summary: 'Register an SDK',
  tag: 'Client',
  access: 'client',
  body: clientApplicationSchema,
  success: { status: 202, description: 'The SDK is registered' },
  run: ({ body, context }) => {
    recordInstances(context, [body])
    return ok({})
  },
})

const registerFrontendClient = defineOperation({
  id: 'registerFrontendClient',
  method: 'POST',
  path: '/api/frontend/client/register',
  summary: 'Register an SDK of a frontend',
  tag: 'Frontend API',
  access: 'frontend',
  body: frontendClientSchema,
  success: { status: 200, description: 'The SDK is registered', text: 'text/plain' },
  run: ({ body, context }) => {
    recordInstances(context, [body])
    return ok({ body: 'OK' })
  },
})

export const clientInstanceOperations = [registerClientApplication, registerFrontendClient] as const
