import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import {
  createMock,
  type FlagCounts,
  forceRuleSchema,
  type JournalEntry,
  type JournalFilter,
  type MockError,
  scenarioSchema,
  stateSchema,
} from '../../src/index.js'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { hoverTexts } from '../support/language-server.js'
import { root } from '../support/markdown.js'

let consumer: Consumer
beforeAll(() => {
  consumer = createConsumer()
}, 30_000)
afterAll(() => consumer.remove())

type Schema = z.core.JSONSchema.BaseSchema

/** An object literal with all fields of a schema, at any depth, and the place of each field. */
class Sample {
  text = `
import type { ForceRule, MockOptions, PartialState, Scenario } from 'flagdouble'
type ItemOf<List> = Extract<NonNullable<List>, readonly unknown[]>[number]
`
  #declarations = 0
  readonly fields: { path: string; offset: number }[] = []
  readonly #definitions: Record<string, Schema>

  constructor(definitions: Record<string, Schema>) {
    this.#definitions = definitions
  }

  declare(type: string, schema: Schema): void {
    this.#declare(type, type, schema)
  }

  /** Items of a field that can be a list or an object are declared separately, as items of the list. */
  #declare(path: string, type: string, schema: Schema): void {
    const items: { path: string; type: string; schema: Schema }[] = []
    this.text += `export const a${this.#declarations++}: ${type} = `
    this.#add(path, type, schema, items)
    this.text += '\n'
    for (const item of items) this.#declare(item.path, item.type, item.schema)
  }

  #add(path: string, type: string, given: Schema, lists: { path: string; type: string; schema: Schema }[]): void {
    const { properties, items, anyOf } = this.#resolved(given)
    const [list] = (anyOf ?? []) as Schema[]
    if (list?.items !== undefined) lists.push({ path, type: `ItemOf<${type}>`, schema: list.items as Schema })
    if (properties !== undefined) {
      this.text += '{\n'
      for (const [name, inner] of Object.entries(properties)) {
        this.fields.push({ path: `${path}.${name}`, offset: this.text.length })
        this.text += `${name}: `
        this.#add(`${path}.${name}`, `NonNullable<${type}>['${name}']`, inner as Schema, lists)
        this.text += ',\n'
      }
      this.text += '}'
    } else if (items !== undefined) {
      this.text += '['
      this.#add(path, `ItemOf<${type}>`, items as Schema, lists)
      this.text += ']'
    } else {
      this.text += 'undefined as never'
    }
  }

  /** The schema of a reference. Of alternatives, the first with fields. */
  #resolved({ $ref, anyOf, ...schema }: Schema): Schema {
    const [name = ''] = $ref?.split('/').slice(-1) ?? []
    if ($ref !== undefined) return this.#resolved(this.#definitions[name] ?? {})
    const alternatives = anyOf?.map((one) => this.#resolved(one as Schema)) ?? []
    return alternatives.find((one) => (one.properties ?? one.items) !== undefined) ?? schema
  }
}

function optionNames(): string[] {
  try {
    createMock({ unknown: 1 } as never)
  } catch (error) {
    return (error as MockError).hint.replace('The options are ', '').replace('.', '').split(', ')
  }
  throw new Error('An unknown option was accepted.')
}

it('every field of rules, scenarios, options and state shows documentation on hover', { timeout: 60_000 }, async () => {
  const schemas = { ForceRule: forceRuleSchema, Scenario: scenarioSchema, PartialState: stateSchema }
  const inJson = Object.entries(schemas).map(([type, schema]) => {
    const { $defs = {}, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
    return { type, schema: rest, definitions: $defs as Record<string, Schema> }
  })
  const sample = new Sample(Object.assign({}, ...inJson.map(({ definitions }) => definitions)))
  for (const { type, schema } of inJson) sample.declare(type, schema)
  sample.declare('MockOptions', { properties: Object.fromEntries(optionNames().map((name) => [name, {}])) })
  const file = consumer.put('hover/a.ts', sample.text)
  const texts = await hoverTexts(
    consumer.path,
    file,
    sample.fields.map(({ offset }) => offset),
  )
  expect(sample.fields.length).toBeGreaterThan(200)
  // The documentation follows the declaration, which is code. TypeScript has none for these, because alternatives declare
  // them more than once.
  const ambiguous = /\.(\$schema|members\.role|links\.url|strategies\.name)$/
  const bare = sample.fields.filter((_, i) => !/```\\n[^"\\]+/.test(texts[i] ?? ''))
  expect(bare.map(({ path }) => path).filter((path) => !ambiguous.test(path))).toEqual([])
})

/** All fields of types that only the mock makes, or takes. */
const fields: {
  JournalFilter: Record<keyof JournalFilter, true>
  JournalEntry: Record<keyof JournalEntry, true>
  FlagCounts: Record<keyof FlagCounts, true>
} = {
  JournalFilter: {
    ...{ operation: true, method: true, path: true, scenario: true, status: true, matched: true },
    ...{ caller: true, key: true, since: true },
  },
  JournalEntry: {
    ...{ id: true, time: true, method: true, path: true, operation: true, scenario: true, status: true },
    ...{ durationMs: true, caller: true, requestHeaders: true, requestBody: true, responseHeaders: true },
    ...{ responseBody: true, matched: true, commit: true, forced: true, sent: true },
  },
  FlagCounts: { on: true, off: true, variants: true, otherVariants: true },
}

it('every member of a mock, and every type of seed data, shows documentation on hover', async () => {
  const mock = createMock()
  const { requests, clock, features, events, history } = mock
  const members = Object.entries({ requests, clock, features, events, history }).flatMap(([name, part]) =>
    Object.keys(part).map((member) => `mock.${name}.${member}`),
  )
  const types = [...Object.keys(fields), ...givenTypes()]
  const names = [
    ...[...members, 'mock.clock.frozen', 'operationIds'].map((name) => `void ${name}`),
    ...types.map((name) => `export type Of${name} = ${name}`),
    ...Object.entries(fields).flatMap(([type, of]) =>
      Object.keys(of).map((field) => `export const ${field}Of${type} = (of: ${type}) => of.${field}`),
    ),
  ]
  const text = `import { createMock, operationIds, ${types.map((name) => `type ${name}`).join(', ')} } from 'flagdouble'
const mock = createMock()
${names.join('\n')}
`
  const file = consumer.put('hover/members.ts', text)
  const lines = text.split('\n').slice(2, -1)
  const start = text.length - lines.join('\n').length - 1
  const offsets = lines.map(
    (line, at) => start + lines.slice(0, at + 1).join('\n').length - (/\w+$/.exec(line)?.[0].length ?? 0),
  )
  const texts = await hoverTexts(consumer.path, file, offsets)
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.filter((_, at) => !/```\\n[^"\\]+/.test(texts[at] ?? ''))).toEqual([])
})

/** The names of the types of seed data that the package exports. */
function givenTypes(): string[] {
  const source = readFileSync(join(root, 'src/engine/state/partial-state.ts'), 'utf8')
  return [...source.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)
}

it.each(['state', 'scenario'])('the JSON Schema of the %s describes each field', (name) => {
  const schema = JSON.parse(readFileSync(join(root, `dist/schema/${name}.json`), 'utf8')) as unknown
  const fields = fieldsIn(schema)
  expect(fields.length).toBeGreaterThan(20)
  expect(fields.filter(([, { description = '' }]) => description.length < 4)).toEqual([])
})

interface Described {
  description?: string
  default?: unknown
}

/** All properties in a JSON Schema, at any depth. */
function fieldsIn(schema: unknown): [name: string, described: Described][] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: Record<string, object> }
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' ? Object.values(value as object).flatMap(fieldsIn) : fieldsIn(value),
  )
  return [...Object.entries(properties), ...inner]
}
