import * as z from 'zod'
import { isObject } from '../../support/json.js'
import { FAULTS_TOLD } from '../../support/text.js'

type AnySchema = z.core.$ZodType
type Context = z.core.ParseContext<z.core.$ZodIssue>

/**
 * The setting with which a parse stops at the first error, and costs little if it fails. zod copies it with `async: false`
 * for each parse. A copy that adds a field takes longer than the parse, so this setting already has it.
 */
export const UNTIL_FIRST = { abortEarly: true, async: false } as Context

/**
 * The errors of a value that has failed. If lists contain wrong items, they are those of the first hundred: zod describes
 * each error in hundreds of bytes, and passes all errors of a list on the stack.
 */
export function issuesOf(schema: z.ZodType, given: unknown, context?: Context): readonly z.core.$ZodIssue[] {
  const found = z.safeParse(schema, new Cut().of(schema, given), context)
  return (found.error ?? z.safeParse(schema, given, context).error)?.issues ?? []
}

/** Cuts the lists in a value after the first `FAULTS_TOLD` wrong items. */
class Cut {
  #left = FAULTS_TOLD

  of(given: AnySchema, value: unknown): unknown {
    const { def } = innermost(given)._zod
    if (def.type === 'union') {
      const options = def.options.filter((one) => (innermost(one)._zod.def.type === 'array') === Array.isArray(value))
      const [option, ...others] = options
      return option === undefined || others.length > 0 ? value : this.of(option, value)
    }
    if (def.type === 'array' && Array.isArray(value)) return [...this.#items(def.element, value)]
    if (!isObject(value)) return value
    const names = Object.keys(value)
    if (def.type === 'record') {
      const items = this.#items(def.valueType, Object.values(value))
      return Object.fromEntries([...items].map((item, at) => [names[at], item]))
    }
    if (def.type !== 'object') return value
    const fields = names.map((name) => {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
      return [name, field === undefined ? value[name] : this.of(field, value[name])]
    })
    return Object.fromEntries(fields)
  }

  *#items(element: AnySchema, items: readonly unknown[]): Generator<unknown> {
    for (const item of items) {
      if (this.#left === 0) return
      if (z.validate(element, item)) yield item
      else {
        const before = this.#left
        yield this.of(element, item)
        // A wrong item inside it has been counted.
        if (this.#left === before) this.#left--
      }
    }
  }
}

/** The schema inside wrappers such as `optional`. */
function innermost(given: AnySchema): z.core.$ZodTypes {
  const schema = given as z.core.$ZodTypes
  const { def } = schema._zod
  if (schema instanceof z.ZodLazy) return innermost(schema._zod.innerType)
  return 'innerType' in def ? innermost(def.innerType) : schema
}
