import { type Facets, filterBy } from '../../../support/filters.js'
import type { Frozen } from '../../../support/freeze.js'
import type { EventFacet, EventQuery } from '../../flags/search/schema.js'
import type { OperationContext } from '../../shared/context.js'
import type { EventRecord } from './schema.js'

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

/** The events that a query asks for, newest first. */
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

/** The day that `IS:2026-11-20` names. */
function dayOf(filter: string | undefined): string | undefined {
  return filter?.slice(filter.indexOf(':') + 1)
}

/** Whether what an event tells contains a text: its data, before and after, or its tags. */
function contains({ data, preData, tags }: Stored, text: string): boolean {
  return text === '' || JSON.stringify([data, preData, tags]).toLowerCase().includes(text)
}

function known(value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [value]
}

/** The events that a caller may see, newest first: who is no admin sees those of projects only. */
export function visibleEvents({ tables, caller }: Pick<OperationContext, 'tables' | 'caller'>): Frozen<EventRecord>[] {
  const all = [...tables.events.newestFirst()]
  return caller.may('ADMIN') ? all : all.filter(({ project }) => project !== null)
}
