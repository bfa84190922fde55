import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EvaluationBudget } from '../../src/service/evaluation/budget.js'
import type { EvaluationConstraint } from '../../src/service/evaluation/constraints.js'
import type { EvaluationContext } from '../../src/service/evaluation/context.js'
import { createEvaluator, type EvaluatedFeature } from '../../src/service/evaluation/evaluate.js'

/** The cases for all Unleash SDKs, from their package `@unleash/client-specification`. */
interface Specification {
  name: string
  state: { features?: SpecifiedFeature[]; segments?: { id: number; constraints: EvaluationConstraint[] }[] }
  tests?: { description: string; context: EvaluationContext; toggleName: string; expectedResult: boolean }[]
  variantTests?: {
    description: string
    context: EvaluationContext
    toggleName: string
    expectedResult: VariantResult
  }[]
}

type SpecifiedFeature = Omit<EvaluatedFeature, 'strategies'> & { strategies?: SpecifiedStrategy[] }

type SpecifiedStrategy = NonNullable<EvaluatedFeature['strategies']>[number] & { segments?: number[] }

/** A constraint that no context satisfies. */
const NEVER: EvaluationConstraint = { contextName: '', operator: 'NEVER' }

/** A feature whose strategies contain the constraints of its segments. A missing segment is never satisfied. */
function withoutSegments(feature: SpecifiedFeature, { segments = [] }: Specification['state']): EvaluatedFeature {
  const strategies = feature.strategies?.map(({ constraints = [], segments: ids = [], ...others }) => {
    const ofSegments = ids.flatMap((id) => segments.find((segment) => segment.id === id)?.constraints ?? [NEVER])
    return { ...others, constraints: [...constraints, ...ofSegments] }
  })
  return { ...feature, strategies }
}

interface VariantResult {
  name: string
  payload?: object
  enabled: boolean
  feature_enabled: boolean
}

/** Another format for features; and an operator that Unleash 8.2.0 rejects. */
const LEFT_OUT = ['19-delta-api-hydration.json', '20-delta-api-events.json', '22-cidr-constraint-operators.json']

const folder = join(
  dirname(createRequire(import.meta.url).resolve('@unleash/client-specification/package.json')),
  'specifications',
)
const read = <Content>(file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Content
const files = read<string[]>('index.json').filter((file) => !LEFT_OUT.includes(file))

it('the cases of the client specification are found', () => {
  expect(files.length).toBeGreaterThan(15)
})

describe.each(files.map((file) => read<Specification>(file)))(
  'the SDKs’ case $name',
  ({ state, tests, variantTests }) => {
    const features = state.features?.map((feature) => withoutSegments(feature, state))
    const find = (name: string) => features?.find((candidate) => candidate.name === name)
    const budget = new EvaluationBudget(expect.unreachable)
    const evaluate = createEvaluator(find, () => 0.5, new Date('2026-11-20T12:00:00Z'), budget)
    const evaluateNamed = (name: string, context: EvaluationContext) => {
      const feature = find(name)
      return feature === undefined ? { enabled: false } : evaluate(feature, context)
    }

    it.each(tests ?? [])('$description', ({ context, toggleName, expectedResult }) => {
      expect(evaluateNamed(toggleName, context).enabled).toBe(expectedResult)
    })

    it.each(variantTests ?? [])('$description', ({ context, toggleName, expectedResult }) => {
      const { enabled, variant } = evaluateNamed(toggleName, context)
      const found = variant === undefined ? { name: 'disabled', enabled: false } : { ...variant, enabled: true }
      expect({ ...found, feature_enabled: enabled }).toEqual(expectedResult)
    })
  },
)
