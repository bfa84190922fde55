import { type Facets, filterBy } from '../../../support/filters.js'
import type { Frozen } from '../../../support/freeze.js'
import type { EventFacet, EventQuery } from '../../flags/search/schema.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { apiTokenUser, SYSTEM_NAME, SYSTEM_USER } from './rules.js'
import type { EventCreator, EventRecord } from './schema.js'

type Stored = Frozen<EventRecord>

const facets: Facets<Stored, EventFacet> = {
  id: ({ id }) => [String(id)],
  groupId: ({ groupId }) => known(groupId),
  feature: ({ featureName }) => known(featureName),
  project: ({ project }) => known(project),
  type: ({ type }) => [type],
  createdBy: ({ createdByUserId }) => [String(createdByUserId)],
  environment: ({ environment }) => known(environment),
}

/** The visible events that match a query, newest first. */
export function findEvents(query: EventQuery, context: Pick<OperationContext, 'tables' | 'caller'>): Stored[] {
  const passes = filterBy(query, facets)
  const text = query.query?.toLowerCase() ?? ''
  const from = dayOf(query.from)
  const to = dayOf(query.to)
  return visibleEvents(context).filter((event) => {
    const day = event.createdAt.slice(0, 10)
    return (
      passes(event) && (from === undefined || day >= from) && (to === undefined || day <= to) && contains(event, text)
    )
  })
}

/** The day in a filter such as `IS:2026-11-20`. */
function dayOf(filter: string | undefined): string | undefined {
  return filter?.slice(filter.indexOf(':') + 1)
}

/** Whether an event's data, previous data or tags contain a text. */
function contains({ data, preData, tags }: Stored, text: string): boolean {
  return text === '' || JSON.stringify([data, preData, tags]).toLowerCase().includes(text)
}

function known(value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [value]
}

/** The events that a caller may see, newest first. Only admins see those outside of projects. */
export function visibleEvents({ tables, caller }: Pick<OperationContext, 'tables' | 'caller'>): Stored[] {
  const all = [...tables.events.newestFirst()]
  return caller.may('ADMIN') ? all : all.filter(({ project }) => project !== null)
}

/** The users who caused events, by id. */
export function findEventCreators(tables: Tables): EventCreator[] {
  const names = new Map<number, string>()
  for (const { createdByUserId: id, createdBy } of tables.events.newestFirst()) {
    if (!names.has(id)) names.set(id, creatorName(id, tables) ?? createdBy)
  }
  return [...names].map(([id, name]) => ({ id, name })).toSorted((one, other) => one.id - other.id)
}

function creatorName(id: number, { users }: Tables): string | undefined {
  if (id === apiTokenUser.id) return apiTokenUser.name
  if (id === SYSTEM_USER) return SYSTEM_NAME
  const user = users.get(id)
  return user?.name ?? undefined
}
