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

function operationsIn(paths: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, methods] of Object.entries(isObject(paths) ? paths : {})) {
    for (const [method, row] of Object.entries(isObject(methods) ? methods : {})) {
      if (!isObject(row)) continue
      const { parameters, requestBody, responses } = row
      const statuses = Object.keys(isObject(responses) ? responses : {})
      const shape = JSON.stringify({ parameters, requestBody, statuses }, (name, value) =>
        name === 'description' || name === 'summary' || name === 'example' ? undefined : value,
      )
      found.set(`${method.toUpperCase()} ${path} (${row.operationId})`, shape)
    }
  }
  return found
}

function fieldsIn(schemas: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const [schema, content] of Object.entries(isObject(schemas) ? schemas : {})) {
    if (!isObject(content) || !isObject(content.properties)) continue
    for (const [field, shape] of Object.entries(content.properties)) {
      const text = JSON.stringify(shape, (name, value) =>
        name === 'description' || name === 'example' ? undefined : value,
      )
      found.set(`${schema}.${field}`, text)
    }
  }
  return found
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
