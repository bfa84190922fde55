import { ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { sdkScope } from '../client-features/lookup.js'
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
    recordInstances(context, [{ ...body, environment: undefined, projects: sdkScope(context.caller).projects }])
    return ok({})
  },
})

const registerFrontendClient = defineOperation({
  id: 'registerFrontendClient',
  method: 'POST',
  path: '/api/frontend/client/register',
  summary: 'Does nothing: SDKs of frontends are known by their metrics',
  tag: 'Frontend API',
  access: 'frontend',
  body: frontendClientSchema,
  success: { status: 200, description: 'Nothing has happened', text: 'text/plain' },
  run: () => ok({ body: 'OK' }),
})

export const clientInstanceOperations = [registerClientApplication, registerFrontendClient] as const
