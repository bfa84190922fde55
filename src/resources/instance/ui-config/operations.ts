import { badData, notFound } from '../../../contract/errors.js'
import { fail, ok } from '../../../support/result.js'
import { defineOperation } from '../../shared/operation.js'
import { saveSetting } from '../maintenance/actions.js'
import { presentUiConfig } from './present.js'
import { corsSchema, uiConfigSchema, uiErrorSchema } from './schema.js'

const getUiConfig = defineOperation({
  id: 'getUiConfig',
  method: 'GET',
  path: '/api/admin/ui-config',
  summary: 'The configuration of the instance, for the user interface',
  tag: 'Admin UI',
  success: { status: 200, description: 'The configuration', schema: uiConfigSchema },
  run: ({ context }) => ok({ body: presentUiConfig(context) }),
})

const setCors = defineOperation({
  id: 'setCors',
  method: 'POST',
  path: '/api/admin/ui-config/cors',
  summary:
    'Set the origins whose pages may use the frontend API; flagdouble keeps and shows them, but lets pages in as before',
  tag: 'Admin UI',
  permission: ['ADMIN', 'UPDATE_CORS'],
  body: corsSchema,
  success: { status: 204, description: 'Done' },
  errors: [404],
  run: ({ body: { frontendApiOrigins }, context }) => {
    if (frontendApiOrigins === undefined) return fail(notFound('The body contains no origins.'))
    const wrong = frontendApiOrigins.find((origin) => !isOrigin(origin))
    if (wrong !== undefined) {
      return fail(badData(`${JSON.stringify(wrong)} is neither an origin nor "*".`, '/body/frontendApiOrigins'))
    }
    saveSetting(context, 'unleash.frontend', { name: 'frontend', frontendApiOrigins })
    return ok({})
  },
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

export const uiConfigOperations = [getUiConfig, setCors, uiObservability] as const

/** Whether a text is an origin such as `https://app.example.com`, or `*` for all of them. */
function isOrigin(text: string): boolean {
  return text === '*' || (!text.includes('*') && URL.canParse(text) && new URL(text).origin === text)
}
