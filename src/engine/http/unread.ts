import * as z from 'zod'
import { CONTEXT_FIELDS, contextFieldIn } from '../../service/resources/sdk/frontend.js'
import type { Caller } from '../../service/resources/shared/context.js'
import type { Tables } from '../../service/resources/tables.js'
import { isObject } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { meantRecord } from '../state/state-fault.js'
import type { CallInWorld } from './call.js'

/** The parts of a request in which a name can be misspelt. */
interface SentParts {
  query: unknown
  body: unknown
  caller: Caller
}

/** A hint on a name in a request that its operation doesn't read, if it reads a similar one. Unleash ignores such names. */
export function hintOnNames({ row, world }: CallInWorld, { query, body, caller }: SentParts): string | undefined {
  const { access, id } = row
  if (access === 'client') return undefined
  if (access !== 'frontend') return nearName('query parameter', query, row.query) ?? nearName('field', body, row.body)
  if (id === 'getFrontendFeatures') return hintOnContext(query, caller, world.data.tables)
  if (id !== 'getFrontendApiFeaturesWithPost' || !isObject(body)) return undefined
  if (body.context !== undefined) return hintOnContext(body.context, caller, world.data.tables)
  const isEmpty = Object.keys(body).length === 0
  return isEmpty ? undefined : 'The body has no context. Write { "context": { "userId": "7" } }.'
}

/** The names that are compared, at most: comparing takes time. */
const COMPARED = 10

function nearName(what: string, sent: unknown, shape: unknown): string | undefined {
  if (!isObject(sent) || !(shape instanceof z.ZodObject)) return undefined
  const known = Object.keys(shape.shape)
  const unread = Object.keys(sent).filter((name) => !known.includes(name))
  if (unread.length === 0) return undefined
  const missing = known.filter((name) => !Object.hasOwn(sent, name))
  for (const name of unread.slice(0, COMPARED)) {
    const hint = didYouMean(name, missing)
    if (hint !== '') return `The ${what} "${name}" has no effect.${hint}`
  }
  return undefined
}

/** A hint on a context: on a field that is near a known one, or on another environment than the API token's. */
function hintOnContext(context: unknown, { sdk }: Caller, tables: Tables): string | undefined {
  if (!isObject(context)) return undefined
  const { environment: named } = context
  const { contextFields, environments } = tables
  let compared = 0
  for (const sent of Object.keys(context)) {
    const name = contextFieldIn(sent)
    if (CONTEXT_FIELDS.includes(name) || contextFields.has(name) || compared++ >= COMPARED) continue
    const hint = meantRecord(name, [...CONTEXT_FIELDS, ...contextFields.list().map((field) => field.name)])
    if (hint !== '') return `The context field "${name}" is unknown.${hint}`
  }
  const isOther = typeof named === 'string' && named !== sdk?.environment && environments.has(named)
  return isOther ? `The environment "${named}" has no effect: the API token names ${sdk?.environment}.` : undefined
}

/** A hint on a name in a path that no record has, but a similar one. */
export function hintOnParams(params: Readonly<Record<string, string>>, tables: Tables): string | undefined {
  const { features, projects, environments } = tables
  const found = [
    hintOnRecord(params.projectId, projects, ({ id }) => id),
    hintOnRecord(params.featureName, features, ({ name }) => name),
    hintOnRecord(params.environment, environments, ({ name }) => name),
  ]
  return found.find((hint) => hint !== undefined)
}

function hintOnRecord<Item>(
  key: string | undefined,
  table: { has(key: string): boolean; list(): readonly Item[]; readonly size: number },
  nameOf: (record: Item) => string,
): string | undefined {
  if (key === undefined || table.size > MOST_RECORDS || table.has(key)) return undefined
  const hint = meantRecord(key, table.list().map(nameOf))
  return hint === '' ? undefined : `There is no "${key}".${hint}`
}

/** In a larger table, the search for a similar name would take much longer than the request. */
const MOST_RECORDS = 1000
