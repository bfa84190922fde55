// Nothing runs this file: `npm run types` fails if it does not compile, or if an error that is expected is not there.
import * as z from 'zod'
import { defineOperation } from '../../src/resources/shared/operation.js'
import { ok } from '../../src/support/result.js'

const row = {
  id: 'readThing',
  method: 'GET',
  path: '/api/admin/things/:thingId/parts/:part',
  summary: 'A thing',
  tag: 'Things',
  access: 'admin',
  success: { status: 200, description: 'The thing' },
  errors: [404],
} as const

export const knownParameters = defineOperation({
  ...row,
  run: ({ params }) => ok({ body: [params.thingId, params.part] }),
})

export const unknownParameter = defineOperation({
  ...row,
  // @ts-expect-error: the path has no parameter of this name.
  run: ({ params }) => ok({ body: params.thing }),
})

export const noParameters = defineOperation({
  ...row,
  path: '/api/admin/things',
  // @ts-expect-error: the path has no parameters.
  run: ({ params }) => ok({ body: params.thingId }),
})

export const bodyOfItsSchema = defineOperation({
  ...row,
  method: 'POST',
  body: z.object({ name: z.string() }),
  run: ({ body }) => ok({ body: body.name.length }),
})

export const bodyWithMore = defineOperation({
  ...row,
  method: 'POST',
  body: z.object({ name: z.string() }),
  // @ts-expect-error: the body's schema has no such property.
  run: ({ body }) => ok({ body: body.title }),
})

// @ts-expect-error: there is no such permission.
export const unknownPermission = defineOperation({ ...row, permission: 'READ_THING', run: () => ok({}) })
