import * as z from 'zod'
import { type TableName, tables } from '../../service/resources/tables.js'
import { type Relation, relations } from './relations.js'

type Schema = z.core.$ZodTypes
type Links = Readonly<Record<string, z.ZodType>>

/** The shapes of what the collections may be asked. */
export interface AskedShapes {
  conditions: KindShapes
  orders: KindShapes
}

export function askedShapes(): AskedShapes {
  return { conditions: new KindShapes(conditionOn), orders: new KindShapes(() => z.enum(['asc', 'desc'])) }
}

export function optionsSchema(order: z.ZodType): z.ZodType {
  const orderBy = z.union([order, z.array(order)])
  const cursor = z.custom<object>((given) => typeof given === 'object', 'must be a record that was found')
  return z.strictObject({ take: z.number(), skip: z.number(), strict: z.boolean(), cursor, orderBy }).partial()
}

/** What may be asked of each field, by kind of record. It is made when it is first needed, since the kinds lead to each other. */
class KindShapes {
  readonly #ofField: (field: Schema) => z.ZodType
  readonly #made = new Map<TableName, z.ZodType>()

  constructor(ofField: (field: Schema) => z.ZodType) {
    this.#ofField = ofField
  }

  of(name: TableName): z.ZodType {
    const made = this.#made.get(name) ?? this.#make(name)
    this.#made.set(name, made)
    return made
  }

  #make(name: TableName): z.ZodType {
    const ofKind: Readonly<Record<string, Readonly<Record<string, Relation>>>> = relations
    const links = Object.entries(ofKind[name] ?? {}).map(([field, { to }]) => [field, z.lazy(() => this.of(to))])
    return this.#inside(tables[name].record, Object.fromEntries(links) as Links)
  }

  #inside(schema: z.core.$ZodType, links: Links = {}): z.ZodType {
    const { def } = (schema as Schema)._zod
    if (def.type === 'object') {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, this.#inside(field)])
      return objectOf({ ...(Object.fromEntries(fields) as Links), ...links }, def)
    }
    if (def.type === 'record') return z.record(z.string(), this.#inside(def.valueType))
    if (def.type === 'union' && def.options.some(holdsMore)) {
      return z.union(def.options.map((option) => this.#inside(option, links)))
    }
    if (def.type === 'array') return holdsMore(def.element) ? this.#inside(def.element) : plainList
    return holdsMore(schema) && 'innerType' in def ? this.#inside(def.innerType) : this.#ofField(schema as Schema)
  }
}

const plainList = z.never({ error: 'is a list of values. Only a function for the whole record can look at those.' })

/** Whether there are fields or items inside. */
function holdsMore(schema: z.core.$ZodType): boolean {
  const { def } = (schema as Schema)._zod
  if ('innerType' in def) return holdsMore(def.innerType)
  return def.type === 'union' ? def.options.some(holdsMore) : ['object', 'record', 'array'].includes(def.type)
}

function objectOf(fields: Links, { shape, catchall }: z.core.$ZodObjectDef): z.ZodType {
  const error: z.core.$ZodErrorMap = ({ code, input }) => {
    if (code !== 'invalid_type') return undefined
    const field = ['id', 'name', 'secret', 'type'].find(
      (name) => shape[name] && z.safeParse(shape[name], input).success,
    )
    return field && `must be an object of conditions. Did you mean { ${field}: ${JSON.stringify(input)} }?`
  }
  const isOpen = catchall !== undefined && catchall._zod.def.type !== 'never'
  const asked = isOpen ? z.looseObject(fields, { error }) : z.strictObject(fields, { error })
  return asked.partial().superRefine((given, { addIssue }) => {
    for (const [name, value] of Object.entries(given)) {
      const message = 'is undefined, and no record is found by that'
      if (value === undefined) addIssue({ code: 'custom', path: [name], message })
    }
  })
}

/** A condition on a value is a function, or a value of its kind, even one that no record may have. */
function conditionOn(field: Schema): z.ZodType {
  const value = kindOf(field)
  return z.union([value, z.instanceof(Function)])
}

function kindOf(field: z.core.$ZodType): z.ZodType {
  const { def } = (field as Schema)._zod
  if (def.type === 'nullable') return kindOf(def.innerType).nullable()
  if ('innerType' in def) return kindOf(def.innerType)
  if (def.type === 'union') return z.union(def.options.map(kindOf))
  if (def.type === 'string') return z.string()
  if (def.type === 'number') return z.number()
  return ['boolean', 'enum', 'literal', 'null'].includes(def.type) ? (field as z.ZodType) : z.any()
}
