import * as z from 'zod'

/** The schemas of values that must stay hidden: passwords, API tokens, links that sign a user in. */
const marked = z.registry<{ secret: true }>()

/** Marks a field as secret. The journal, the log and the panel show `[redacted]` in its place. Mark the finished schema. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  marked.add(schema, { secret: true })
  return schema
}

const known = new WeakMap<z.core.$ZodType, readonly string[]>()

/** The names of all secret fields of a schema, at any depth. */
export function secretFields(schema: z.core.$ZodType): readonly string[] {
  let fields = known.get(schema)
  if (fields === undefined) {
    const names = new Set<string>()
    collect(schema, undefined, names, new Set())
    fields = [...names]
    known.set(schema, fields)
  }
  return fields
}

/** Whether a schema has a secret field, at any depth. */
export function holdsSecrets(schema: z.core.$ZodType): boolean {
  return secretFields(schema).length > 0
}

function collect(
  schema: z.core.$ZodType,
  name: string | undefined,
  names: Set<string>,
  seen: Set<z.core.$ZodType>,
): void {
  if (marked.has(schema)) {
    if (name !== undefined) names.add(name)
    return
  }
  const { def } = (schema as z.core.$ZodTypes)._zod
  // A wrapper such as `optional` belongs to the same field, which can have another name elsewhere.
  const inner = schema instanceof z.ZodLazy ? schema._zod.innerType : 'innerType' in def ? def.innerType : undefined
  if (inner !== undefined) {
    collect(inner, name, names, seen)
    return
  }
  if (seen.has(schema)) return
  seen.add(schema)
  if (def.type === 'object') {
    for (const [field, shape] of Object.entries(def.shape)) collect(shape, field, names, seen)
  }
  for (const part of partsOf(schema as z.core.$ZodTypes)) collect(part, name, names, seen)
}

function partsOf({ _zod: { def } }: z.core.$ZodTypes): readonly z.core.$ZodType[] {
  switch (def.type) {
    case 'array':
      return [def.element]
    case 'record':
      return [def.valueType]
    case 'union':
      return def.options
    case 'tuple':
      return def.items
    case 'intersection':
      return [def.left, def.right]
    case 'pipe':
      return [def.in, def.out]
    default:
      return []
  }
}
