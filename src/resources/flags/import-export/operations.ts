import { badData } from '../../../contract/errors.js'
import { fail, ok, okUnless } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { defineOperation } from '../../shared/operation.js'
import { importFeatures } from './actions.js'
import { checkImport, missingPermissions, permissionFaults } from './checks.js'
import { importErrors, importWarnings, withoutArchived } from './lookup.js'
import { exportedFeatures, presentExport } from './present.js'
import { exportQuerySchema, exportResultSchema, importTogglesSchema, importTogglesValidateSchema } from './schema.js'

/** Bodies with many features may be larger than others. */
const row = { tag: 'Import/Export', method: 'POST', bodyLimit: 512_000 } as const
const path = '/api/admin/features-batch'

const exportFeatures = defineOperation({
  ...row,
  id: 'exportFeatures',
  path: `${path}/export`,
  summary: 'Export features in an environment, with everything that they refer to',
  body: exportQuerySchema,
  success: { status: 200, description: 'The features', schema: exportResultSchema },
  run: ({ body, context }) => {
    const data = presentExport(exportedFeatures(context.tables, body), body.environment, context.tables)
    logEvent(context, { type: 'features-exported', data: { data } })
    return ok({ body: data })
  },
})

const validateImport = defineOperation({
  ...row,
  id: 'validateImport',
  path: `${path}/validate`,
  summary: 'What would prevent an import, and what it would overwrite',
  body: importTogglesSchema,
  success: { status: 200, description: 'The findings', schema: importTogglesValidateSchema },
  run: ({ body, context }) =>
    ok({
      body: {
        errors: importErrors(context.tables, body),
        warnings: importWarnings(context.tables, body),
        permissions: permissionFaults(missingPermissions(context, body)),
      },
    }),
})

const importToggles = defineOperation({
  ...row,
  id: 'importToggles',
  path: `${path}/import`,
  summary: 'Import features into an environment of a project; those that exist are overwritten',
  body: importTogglesSchema,
  success: { status: 200, description: 'The features are imported' },
  errors: [403, 404, 409],
  run: ({ body, context }) => {
    if (context.caller.user === undefined) {
      const message = 'Features are imported by users: sign in, or send a personal access token.'
      return fail(badData(message, '/body'))
    }
    const sent = withoutArchived(context.tables, body)
    return okUnless(checkImport(context, sent) ?? importFeatures(context, sent))
  },
})

export const importExportOperations = [exportFeatures, validateImport, importToggles] as const
