import * as z from 'zod'
import type { AnyOperation } from '../contract/operation.js'
import { errorStatusesOf, paramNames, successSchema, successStatus } from '../contract/operation.js'
import { profiles } from '../contract/profiles.js'
import { operations } from './operations.js'
import { STATUS_TEXT } from './status-text.js'

const errorSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    message: z.string(),
    details: z.array(z.object({ message: z.string(), path: z.string() })).optional(),
  })
  .meta({ id: 'errorSchema', description: 'What went wrong. For a 400, details lists every fault.' })

/** The table as an OpenAPI 3.1 document. The generator is loaded on first use. */
export async function operationsDocument(version: string): Promise<unknown> {
  const { createDocument } = await import('zod-openapi')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations as readonly AnyOperation<never>[]) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'flagdouble',
      version,
      description: 'The part of the admin API of a feature-flag management service that flagdouble models.',
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
    paths: paths as never,
  })
}

function describe(operation: AnyOperation<never>) {
  const { success } = operation
  const json = (schema: z.ZodType) => ({ 'application/json': { schema } })
  const status = successStatus(operation, profiles.documented)
  const schema = successSchema(operation, profiles.documented)
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.tag],
    security: operation.access === 'public' ? [] : [{ apiKey: [] }],
    requestParams: {
      path: z.object(Object.fromEntries(paramNames(operation.path).map((name) => [name, z.string()]))),
      ...(operation.query instanceof z.ZodObject ? { query: operation.query } : {}),
    },
    ...(operation.body === undefined ? {} : { requestBody: { required: true, content: json(operation.body) } }),
    responses: {
      [status]: {
        description: success.description,
        ...(success.headers === undefined ? {} : { headers: z.object(headerShapes(success.headers)) }),
        ...(schema === undefined ? {} : { content: json(schema) }),
        ...(success.text === undefined ? {} : { content: { [success.text]: { schema: z.string() } } }),
      },
      ...Object.fromEntries(
        errorStatusesOf(operation, profiles.documented).map((code) => [
          code,
          { description: STATUS_TEXT[code], content: json(errorSchema) },
        ]),
      ),
    },
  }
}

function headerShapes(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, z.string().meta({ description })]),
  )
}
