// Nothing runs this file: `npm run types` fails if it does not compile, or if an error that is expected is not there.
import * as z from 'zod'
import type { OperationRow } from '../../src/service/api/operations.js'
import { get, operations, post } from '../../src/service/resources/shared/rows.js'

const path = '/api/admin/things/:thingId/parts/:part'
const row = { summary: 'A thing', success: { status: 200, description: 'The thing' }, errors: [404] } as const
const named = { ...row, body: z.object({ name: z.string() }) }

const rows = operations('Things', {
  knownParameters: get(path, { ...row, run: ({ params }) => ({ body: [params.thingId, params.part] }) }),

  // @ts-expect-error: the path has no parameter of this name.
  unknownParameter: get(path, { ...row, run: ({ params }) => ({ body: params.thing }) }),

  // @ts-expect-error: the path has no parameters.
  noParameters: get('/api/admin/things', { ...row, run: ({ params }) => ({ body: params.thingId }) }),

  bodyOfItsSchema: post(path, { ...named, run: ({ body }) => ({ body: body.name.length }) }),

  // @ts-expect-error: the body's schema has no such property.
  bodyWithMore: post(path, { ...named, run: ({ body }) => ({ body: body.title }) }),

  // @ts-expect-error: there is no such permission.
  unknownPermission: get(path, { ...row, permission: 'READ_THING', run: () => undefined }),
})

export const table: readonly OperationRow[] = rows

export const keysAreIds: 'knownParameters' | 'bodyOfItsSchema' | 'unknownParameter' = 'knownParameters'
export const id: (typeof rows)[number]['id'] = 'bodyOfItsSchema'

// @ts-expect-error: no row has this id.
export const unknownId: (typeof rows)[number]['id'] = 'nothing'
