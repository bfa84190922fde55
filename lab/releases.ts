import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../src/support/json.js'

/** The names of a release that clients can meet. */
export interface ReleaseNames {
  operations: ReadonlyMap<string, string>
  /** `SCHEMA.FIELD` → its JSON schema, as text. */
  fields: ReadonlyMap<string, string>
  events: ReadonlyMap<string, string>
  permissions: ReadonlyMap<string, string>
}

/** Reads the names from the OpenAPI document of a running release, and from the tables of its package. */
export async function namesOf(url: string, folder: string): Promise<ReleaseNames> {
  const document: unknown = await (await fetch(`${url}/docs/openapi.json`)).json()
  const { paths, components } = isObject(document) ? document : {}
  const dist = join(folder, 'node_modules/unleash-server/dist/lib')
  const texts = async (path: string) => {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(dist, path)).href)
    const names = Object.values(exported).filter((value) => typeof value === 'string')
    return new Map(names.map((name) => [name, '']))
  }
  return {
    operations: operationsIn(paths),
    fields: fieldsIn(isObject(components) ? components.schemas : undefined),
    events: await texts('events/index.js'),
    permissions: await texts('types/permissions.js'),
  }
}

/** A part of the document, as text without its descriptions. */
function shapeOf(part: unknown): string {
  return JSON.stringify(part, (name, value) => (/^(description|summary|example)$/.test(name) ? undefined : value))
}

function operationsIn(paths: unknown): Map<string, string> {
  return new Map(
    entriesOf(paths).flatMap(([path, methods]) =>
      entriesOf(methods).flatMap(([method, row]) => {
        if (!isObject(row)) return []
        const { operationId, parameters, requestBody, responses } = row
        const statuses = entriesOf(responses).map(([status]) => status)
        const shape = shapeOf({ parameters, requestBody, statuses })
        return [[`${method.toUpperCase()} ${path} (${operationId})`, shape] as const]
      }),
    ),
  )
}

function fieldsIn(schemas: unknown): Map<string, string> {
  return new Map(
    entriesOf(schemas).flatMap(([schema, content]) =>
      entriesOf(isObject(content) ? content.properties : undefined).map(
        ([field, shape]) => [`${schema}.${field}`, shapeOf(shape)] as const,
      ),
    ),
  )
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

/** The names that came, went or changed between two releases, one a line. */
export function changesBetween(before: ReleaseNames, after: ReleaseNames): string[] {
  return (['operations', 'fields', 'events', 'permissions'] as const).flatMap((kind) => {
    const [old, present] = [before[kind], after[kind]]
    const came = [...present.keys()].filter((name) => !old.has(name)).map((name) => `+ ${name}`)
    const went = [...old.keys()].filter((name) => !present.has(name)).map((name) => `- ${name}`)
    const changed = [...present]
      .filter(([name, text]) => old.has(name) && old.get(name) !== text)
      .map(([name]) => `~ ${name}`)
    const lines = [...came, ...went, ...changed].toSorted((a, b) => a.slice(2).localeCompare(b.slice(2)))
    return [
      `${kind}: ${came.length} came, ${went.length} went, ${changed.length} changed`,
      ...lines.map((line) => `  ${line}`),
    ]
  })
}
