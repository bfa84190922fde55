import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import { valueAt } from '../../../support/json.js'
import { findJsonFault } from '../../../support/json-fault.js'
import { badData, type Failure } from '../../contract/errors.js'
import { firstRepeated, nameRule } from '../shared/checks.js'
import { field, whole } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { named, namedStrict, versioned } from '../shared/schema.js'

export const payloadSchema = object(() => ({
  type: field(z.string(), '`json`, `csv`, `string` or `number`.'),
  value: field(z.string(), 'The payload as text, for any type.'),
}))

/** A variant of a strategy. */
export const strategyVariantSchema = named('strategyVariantSchema', () => ({
  name: field(z.string(), 'The name.'),
  weight: field(z.number().min(0).max(1000), 'Its share, in thousandths. Default: an equal share.'),
  weightType: field(
    z.enum(['fix', 'variable']),
    'Whether the share is fixed, or a part of the remainder. Default: `variable`.',
  ),
  stickiness: field(z.string(), 'The context field that selects its users. Default: `default`.'),
  payload: whole(field(payloadSchema.optional(), 'The payload.')),
}))

const overrideSchema = object(() => ({
  contextName: field(z.string(), 'The context field.'),
  values: field(z.array(z.string()), "The field's values that get the variant."),
}))

/** A variant of a feature in an environment: the older kind, with overrides. */
export const variantSchema = named(
  'variantSchema',
  () =>
    strategyVariantSchema.extend({
      overrides: field(z.array(overrideSchema).optional(), 'Overrides, which give it to certain users.'),
    }).shape,
)

type StrategyVariant = z.infer<typeof strategyVariantSchema>
export type Variant = z.infer<typeof variantSchema>

const sentPayload = {
  ...payloadSchema.shape,
  type: field(z.enum(['json', 'csv', 'string', 'number']), "The payload's type."),
}

/** A shape that keeps unknown fields, without a type for them, until the operation rejects them. */
function keepsUnknown<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape) as unknown as z.ZodObject<Shape>
}

/** A variant of a strategy in a request. `checkVariants` rejects its unknown fields. */
export const sentStrategyVariantSchema = keepsUnknown({
  ...variantSchema.shape,
  payload: whole(field(keepsUnknown(sentPayload).optional(), 'The payload.')),
}).meta({ id: 'createStrategyVariantSchema' })

/** A variant of an environment in a request. */
export const sentVariantSchema = namedStrict('sentVariantSchema', () => ({
  ...variantSchema.shape,
  weightType: z.enum(['fix', 'variable']).optional(),
  stickiness: z.string().optional(),
  payload: z.strictObject(sentPayload).optional(),
}))

export type SentVariant = z.infer<typeof sentVariantSchema>

export const sentVariantsSchema = z.array(sentVariantSchema).meta({ id: 'variantsSchema' })

export const featureVariantsSchema = versioned('featureVariantsSchema', () => ({ variants: z.array(variantSchema) }))

const defaulted = { weight: true, weightType: true, stickiness: true } as const

/** A variant of a strategy in a fixture: only its name is required. */
export const strategyVariantFixtureSchema = strategyVariantSchema.partial(defaulted)

/** A variant of an environment in a fixture: only its name is required. */
export const variantFixtureSchema = variantSchema.partial(defaulted)

type VariantFixture = z.infer<typeof variantFixtureSchema>

/** The sum of the weights of all variants. */
export const WHOLE = 1000

type Weighted = Frozen<Pick<StrategyVariant, 'name' | 'weight' | 'weightType'>>

/** A variant, with defaults for omitted fields. */
export function completeVariant<Given extends VariantFixture & { weight: number }>(given: Given) {
  const { name, weight, weightType = 'variable', stickiness = 'default', ...others } = given
  return { name, weight, weightType, stickiness, ...others }
}

/** The variants sorted by name. Variable weights share the rest equally; the remainder goes to the first of them, one each. */
export function balanceWeights<Item extends Weighted>(variants: readonly Item[]): Item[] {
  const variable = variants.filter(({ weightType }) => weightType === 'variable')
  const rest = Math.max(0, WHOLE - fixedWeight(variants))
  const share = Math.floor(rest / variable.length)
  const remainder = rest % variable.length
  let position = 0
  return variants
    .map((variant) => {
      if (variant.weightType !== 'variable') return variant
      return { ...variant, weight: share + (position++ < remainder ? 1 : 0) }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Whether the weights already add up, so that they need no balancing. */
export function hasWholeWeight(variants: readonly { readonly weight: number }[]): boolean {
  return variants.length === 0 || variants.reduce((sum, { weight }) => sum + weight, 0) === WHOLE
}

function fixedWeight(variants: readonly Pick<Checked, 'weight' | 'weightType'>[]): number {
  return variants.filter(({ weightType }) => weightType === 'fix').reduce((sum, { weight }) => sum + weight, 0)
}

/** The variants of a fixture: those without a weight share the rest. */
export function completeVariants<Given extends VariantFixture>(given: readonly Given[]) {
  const taken = given.reduce((sum, { weight = 0 }) => sum + weight, 0)
  const sharers = given.filter(({ weight }) => weight === undefined)
  const shared = (count: number) => Math.floor((Math.max(0, WHOLE - taken) * count) / sharers.length)
  let position = 0
  const nextShare = () => shared(position + 1) - shared(position++)
  return given.map((variant) => completeVariant({ ...variant, weight: variant.weight ?? nextShare() }))
}

/** A variant to check, with a type of its weight unless the request omits it. */
interface Checked extends Frozen<Pick<StrategyVariant, 'name' | 'weight'>> {
  weightType?: StrategyVariant['weightType'] | undefined
}

const text = z.string().min(1, 'must not be empty')

function isJsonStructure(value: string): boolean {
  return /^\s*[[{]/.test(value) && findJsonFault(value) === undefined
}

/** The rules for variants that Unleash checks in the operation, after the types and in this order. */
const variantRules = z.array(
  z.strictObject({
    name: nameRule({ shortest: 1, longest: 100 }).schema,
    weight: z.int('must be a whole number').min(0).max(1000),
    weightType: variantSchema.shape.weightType.optional(),
    payload: payloadSchema
      .extend({ value: text })
      .strict()
      .refine(({ type, value }) => type !== 'json' || isJsonStructure(value), {
        path: ['value'],
        message: 'must be a JSON object or array',
      })
      .optional(),
    stickiness: text.optional(),
    overrides: z.array(z.object({ contextName: text, values: z.array(text) })).optional(),
  }),
)

/**
 * Fails if variants have unknown or empty fields, if a payload isn't JSON but should be, if two share a name, or if the
 * weights can't add up.
 */
export function checkVariants(variants: readonly Checked[]): Failure | undefined {
  const at = '/body/variants'
  const [issue] = variantRules.safeParse(variants).error?.issues ?? []
  if (issue !== undefined) {
    const keys = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])]
    const place = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
    const fault = issue.code === 'unrecognized_keys' ? 'is unknown' : issue.message
    const sent = JSON.stringify(valueAt(variants, keys))
    return badData(`"${place || 'value'}" ${fault}; ${sent} was sent.`, [at, ...keys].join('/'))
  }
  if (variants.length === 0) return undefined
  const repeated = firstRepeated(variants.map(({ name }) => name))
  if (repeated !== -1) {
    const sent = JSON.stringify(variants[repeated])
    return badData(`The names of variants must be unique, but "[${repeated}]" repeats one; ${sent} was sent.`, at)
  }
  if (variants.every(({ weightType }) => weightType !== 'variable')) {
    return badData('At least one variant must have the weightType "variable".', at)
  }
  if (fixedWeight(variants) <= WHOLE) return undefined
  return badData(`The fixed weights add up to more than ${WHOLE}.`, at)
}
