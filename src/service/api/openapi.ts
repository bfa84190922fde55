import * as z from 'zod'
import { STATUS_TEXT } from '../contract/errors.js'
import { type AnyOperation, errorStatusesOf, paramNames, successSchema, successStatus } from '../contract/operation.js'
import type { Profile, ProfileName } from '../contract/profile.js'
import { operations } from './operations.js'

type DocumentedRow = AnyOperation<never>

const KEYS = {
  admin: 'Needs an admin token, a personal token or a login.',
  client: 'Needs a client token.',
  frontend: 'Needs a frontend token.',
  public: 'Needs no API token.',
} as const

/** A paragraph about an operation, from its row. */
function describeOperation(row: DocumentedRow, profile: Profile): string {
  const { access, permission, secretParams = [], worksInMaintenance, leavesOut, success } = row
  return [
    row.description?.(profile),
    `${success.description}, with status ${successStatus(row, profile)}.`,
    KEYS[access],
    permission === undefined ? undefined : `Needs the permission ${[permission].flat().join(' or ')}.`,
    secretParams.length > 0 ? `The request journal hides ${secretParams.join(', ')}.` : undefined,
    worksInMaintenance && 'Also works in maintenance mode.',
    leavesOut && `Not modelled: ${leavesOut}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const detailsSchema = z.array(z.object({ message: z.string(), path: z.string().optional() }).loose())

const errorSchemas: Readonly<Record<ProfileName, z.ZodType>> = {
  documented: z
    .object({ id: z.uuid(), name: z.string(), message: z.string(), details: detailsSchema.optional() })
    .meta({ id: 'errorSchema', description: 'The error. For a 400, details lists every validation error.' }),
  'unleash-8': z
    .object({
      id: z.uuid().optional(),
      name: z.string().optional(),
      message: z.string().optional(),
      error: z.string().optional(),
      details: detailsSchema.optional(),
    })
    .loose()
    .meta({
      id: 'errorSchema',
      description: 'The error. Some errors have only a message, one has only an error, a few have no body.',
    }),
}

/** The OpenAPI versions that the document can have. Unleash writes the older version. */
export const OPENAPI_VERSIONS = { '3.0': '3.0.3', '3.1': '3.1.0' } as const

interface DocumentOptions {
  profile: Profile
  openapi: keyof typeof OPENAPI_VERSIONS
  /** flagdouble's version, for profiles that don't name Unleash's version. */
  version: string
  /** The base URL of the API. */
  server: string
}

/** The table as an OpenAPI document of a profile. The generator is loaded on first use. */
export async function operationsDocument(options: DocumentOptions): Promise<unknown> {
  const { createDocument } = await import('zod-openapi')
  const rows: readonly DocumentedRow[] = operations
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of rows) {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describe(row, options) }
  }
  const used = new Set(rows.map(tagOf))
  const { profile, openapi, version, server } = options
  return createDocument(
    {
      openapi: OPENAPI_VERSIONS[openapi],
      info: {
        title: 'flagdouble',
        version: profile.serviceVersion ?? version,
        description: `The part of the API of Unleash that flagdouble models, in the profile "${profile.name}".`,
      },
      servers: [{ url: server }],
      tags: Object.entries(TAGS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
      components: {
        securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      },
      paths: paths as never,
    },
    { override: simplify },
  )
}

interface JsonSchema {
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  default?: unknown
  properties?: unknown
  additionalProperties?: unknown
}

/** Leaves out redundant schema keywords, and those that make client generators fail. */
function simplify({ jsonSchema: schema }: { jsonSchema: JsonSchema }): void {
  // Redundant with the format.
  if (schema.format === 'date-time') delete schema.pattern
  // The bounds of any integer in JavaScript.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // A property with a default becomes a required property. Its description also states the default.
  delete schema.default
  // In TypeScript, optional properties don't fit the type of an index signature next to them.
  if (schema.properties && typeof schema.additionalProperties === 'object') schema.additionalProperties = {}
}

function describe(row: DocumentedRow, { profile }: DocumentOptions) {
  return {
    operationId: row.id,
    summary: row.summary,
    description: describeOperation(row, profile),
    tags: [tagOf(row)],
    security: row.access === 'public' ? [] : [{ apiKey: [] }],
    requestParams: {
      path: z.object(Object.fromEntries(paramNames(row.path).map((name) => [name, z.string()]))),
      ...(row.query instanceof z.ZodObject ? { query: row.query } : {}),
    },
    ...(row.body === undefined ? {} : { requestBody: { required: true, content: content(row.body) } }),
    responses: {
      [successStatus(row, profile)]: describeSuccess(row, profile),
      ...Object.fromEntries(
        errorStatusesOf(row, profile).map((status) => [status, describeError(row, status, profile)]),
      ),
    },
  }
}

/** Promises no body if a response can lack it: generated clients would always expect the body. */
function describeError({ bodiless = [] }: DocumentedRow, status: number, profile: Profile) {
  const { table } = profile.errors
  const mayBeEmpty = bodiless.some((kind) => table[kind].status === status && table[kind].shape === 'empty')
  if (mayBeEmpty) return { description: `${STATUS_TEXT[status]}. Some of these responses have no body` }
  return { description: STATUS_TEXT[status], content: content(errorSchemas[profile.name]) }
}

function describeSuccess(row: DocumentedRow, profile: Profile) {
  const { description, headers, text } = row.success
  const schema = text === undefined ? successSchema(row, profile) : z.string()
  return {
    description,
    ...(headers === undefined ? {} : { headers: headersSchema(headers) }),
    ...(schema === undefined ? {} : { content: content(schema, text) }),
  }
}

function content(schema: z.ZodType, type = 'application/json') {
  return { [type]: { schema } }
}

function headersSchema(headers: Readonly<Record<string, string>>) {
  const shapes = Object.entries(headers).map(([name, description]) => [name, z.string().meta({ description })])
  return z.object(Object.fromEntries(shapes))
}

/** Unleash's tags for the OpenAPI document, with their descriptions. */
const TAGS: Readonly<Record<string, string>> = {
  Addons: 'Integrations such as webhooks. Their messages are recorded, and never sent',
  'Admin UI': 'Operations of the admin interface',
  'API tokens': 'API tokens for the Admin API and for SDKs',
  Archive: 'Archived features: reviving and deleting them',
  Auth: 'Signing in and out, and links to set a password',
  Client: 'The operations of server-side SDKs',
  Context: 'Fields of the context, and their legal values',
  Dependencies: 'Features that depend on others',
  Environments: 'Environments, and their place in projects',
  Events: 'The event log',
  'Feature Types': 'Types of features, and their expected lifetimes',
  Features: 'Feature flags with their environments, strategies, variants, tags and links',
  'Frontend API': 'The operations of frontend SDKs',
  'Import/Export': 'Features as a file',
  'Instance Admin': 'Statistics of the instance',
  Maintenance: 'Maintenance mode, in which nothing can be changed',
  Metrics: 'Reports of SDKs, and the applications that they run in',
  Operational: 'The state of the instance',
  'Personal access tokens': 'API tokens of a user',
  Playground: 'Evaluating features for a context',
  Projects: 'Projects with their members, settings and figures',
  'Public signup tokens': 'Links that invite users to sign up',
  Search: 'Searching for features',
  Segments: 'Constraints that strategies share',
  Strategies: 'Types of strategies, and what strategies use',
  Tags: 'Tags, and their types',
  Telemetry: 'Settings of telemetry',
  'Unknown Flags': 'Names in SDK reports without a feature',
  'Unleash Edge': 'Operations for Unleash Edge',
  Users: 'Users, roles and passwords',
}

/** Groups of operations without a separate tag in Unleash, with the tags that it uses for them. */
const WIDER: Readonly<Record<string, string>> = {
  Constraints: 'Features',
  'Environment variants': 'Features',
  Favorites: 'Features',
  'Feature types': 'Feature Types',
  Lifecycle: 'Features',
  Links: 'Features',
  'Personal dashboard': 'Projects',
  Signup: 'Public signup tokens',
  'Strategy types': 'Strategies',
  'Tag types': 'Tags',
}

/** The tag of a row in the OpenAPI document. */
function tagOf({ tag }: { tag: string }): string {
  return WIDER[tag] ?? tag
}
