import * as z from 'zod'
import { givenListOf } from '../resources/shared/given-list.js'

/** How a given value is combined with the stored one: what a fixture's schema says about that. */
export type Plan =
  | { is: 'value' }
  | { is: 'record' }
  | { is: 'object'; fields: Readonly<Record<string, Plan>>; lists: readonly (readonly [string, Plan])[] }
  | { is: 'list'; by: string | undefined; merges: boolean; item: Plan }
  | { is: 'names' }

export const VALUE: Plan = { is: 'value' }

const plans = new WeakMap<z.core.$ZodType, Plan>()

export function planOf(schema: z.core.$ZodType): Plan {
  let plan = plans.get(schema)
  if (plan === undefined) {
    plan = makePlan(schema)
    plans.set(schema, plan)
  }
  return plan
}

function makePlan(schema: z.core.$ZodType): Plan {
  const list = givenListOf(schema)
  if (list !== undefined) {
    const { by, merges = false, item } = list
    return item === undefined ? { is: 'names' } : { is: 'list', by, merges, item: planOf(item) }
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return planOf(schema.def.innerType)
  if (schema instanceof z.ZodRecord) return { is: 'record' }
  if (schema instanceof z.ZodDiscriminatedUnion) return { is: 'object', fields: {}, lists: [] }
  if (!(schema instanceof z.ZodObject)) return VALUE
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, planOf(field)] as const)
  return { is: 'object', fields: Object.fromEntries(fields), lists: fields.filter(([, plan]) => holdsLists(plan)) }
}

/** Whether an object may stand in place of a list, in the value itself or inside it. */
export function holdsLists(plan: Plan): boolean {
  return plan.is === 'list' || plan.is === 'names' || (plan.is === 'object' && plan.lists.length > 0)
}
