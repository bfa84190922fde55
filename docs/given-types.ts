// src/engine/state/partial-state.ts: the types of seed data, made from the declarations of its fields. Types that are
// inferred from schemas are long, and have no documentation for editors.
import * as z from 'zod'
import { stateSchema } from '../src/engine/state/state.js'
import { descriptionOf, suggestedFor } from '../src/service/resources/shared/fields.js'
import { patchOf } from '../src/service/resources/shared/merge-patch.js'
import { fixtureInstantSchema } from '../src/service/resources/shared/schema.js'
import { type TableName, tables } from '../src/service/resources/tables.js'

type Schema = z.core.$ZodType

/** The names of interfaces that aren't `Given` and the field. Alternatives have one name each. */
const NAMES: Readonly<Record<string, string | readonly string[]>> = {
  'GivenProject.members': ['GivenMember', 'GivenMemberById'],
  'GivenDefaultStrategy.constraints': 'GivenDefaultConstraint',
  'GivenDefaultStrategy.variants': 'GivenDefaultVariant',
  'GivenDefaultVariant.payload': 'GivenTypedPayload',
  'GivenFeature.createdBy': 'GivenCreator',
  'GivenFeature.lifecycle': 'GivenStage',
  'GivenFeature.collaborators': 'GivenCollaborators',
  'GivenCollaborators.users': 'GivenCollaborator',
  'GivenFeature.environments': 'GivenFeatureEnvironment',
  'GivenFeature.detached': 'GivenDetachedEnvironment',
  'GivenStrategy.variants': 'GivenStrategyVariant',
  'GivenDetachedEnvironment.strategies': 'GivenDetachedStrategy',
  'GivenDetachedStrategy.variants': 'GivenDetachedVariant',
  'GivenSignupToken.users': 'GivenSignedUpUser',
  'GivenSignupToken.role': 'GivenReference',
  'GivenEvent.tags': 'GivenEventTag',
  'GivenStrategyType.parameters': 'GivenStrategyParameter',
  'GivenReport.environments': 'GivenReportedEnvironment',
  'GivenHistogram.samples': 'GivenHistogramSample',
  'GivenIntegrationEvent.details': 'GivenDetails',
  'GivenAddon.parameters': 'GivenAddonParameters',
  'PartialState.impactMetrics': ['GivenCounter', 'GivenGauge', 'GivenHistogram'],
}

/** The text of the file. */
export function givenTypes(): string {
  const types = new GivenTypes()
  const members = Object.entries(stateSchema.shape).map(([name, schema]) => {
    const meaning = descriptionOf(schema) ?? ''
    const type = isTable(name)
      ? types.recordsOf(name, patchOf(tables[name].fixture), meaning)
      : types.typeOf(schema, name)
    return member(name, meaning, `${type} | undefined`, true)
  })
  return `// Generated from the declarations in src/service/resources by \`npm run docs\`.
import type { NumberedRecords, Records, WholeRecords } from '../../service/resources/shared/merge-patch.js'
import type { GivenInstant } from '../../service/resources/shared/schema.js'

/**
 * Seed data: the contents of fixtures, and the argument of \`add\` and \`restore\`. You can omit any list, and any field with
 * a default. An object in place of a list changes the records that it names. New records follow the existing ones, in their
 * order. \`createMock\`, \`add\` and \`restore\` throw \`INVALID_STATE\`, with the place of each error.
 */
export interface PartialState {
${members.join('')}}

${types.written.join('\n')}`
}

function isTable(name: string): name is TableName {
  return name in tables
}

class GivenTypes {
  readonly #bodies = new Map<string, string>()
  /** The meanings of fields by their paths, and of interfaces by the first field that has them. */
  readonly #meanings = new Map<string, string>()

  /** The declarations of all interfaces so far. */
  get written(): string[] {
    return [...this.#bodies].map(([declaration, body]) => {
      const [name = ''] = declaration.split(' ')
      return `/** ${this.#meanings.get(name)} */\nexport interface ${declaration} {\n${body}}\n`
    })
  }

  /** The type of the records of a kind. */
  recordsOf(kind: string, record: Schema, meaning: string): string {
    const path = `PartialState.${kind}`
    this.#meanings.set(path, meaning)
    if (!(record instanceof z.ZodObject)) return `WholeRecords<${this.typeOf(record, path)}>`
    const { id, ...others } = record.shape
    const isNumbered = id instanceof z.ZodNumber && Object.values(others).every((one) => one instanceof z.ZodOptional)
    if (!isNumbered) return `Records<${this.typeOf(record, path)}>`
    const name = nameAt(path)
    const change = `${name.replace('Given', '')}Change`
    this.#bodies.set(`${name} extends ${change}`, this.#member('id', id, name))
    this.#bodies.set(change, this.#bodyOf(others, name))
    this.#meanings.set(name, meaningIn(path, meaning))
    this.#meanings.set(change, `The fields of \`${name}\` without its ID.`)
    return `NumberedRecords<${name}, ${change}>`
  }

  /** The type of a value, and the interfaces inside it. The path is that of its field: `GivenFeature.links`. */
  typeOf(schema: Schema, path: string, alternative?: number): string {
    if (schema === fixtureInstantSchema || schema._zod.parent === fixtureInstantSchema) return 'GivenInstant'
    const suggested = suggestedFor(schema)
    if (suggested !== undefined) return [...suggested.map((text) => `'${text}'`).sort(), '(string & {})'].join(' | ')
    const { def } = (schema as z.core.$ZodTypes)._zod
    switch (def.type) {
      case 'optional':
        return this.typeOf(def.innerType, path, alternative)
      case 'nullable':
        return `${this.typeOf(def.innerType, path, alternative)} | null`
      case 'lazy': {
        const [list] = (def.getter() as z.ZodUnion<[z.ZodArray]>).options
        return `Records<${this.typeOf(list.element, path)}>`
      }
      case 'enum':
        return Object.values(def.entries)
          .map((one) => `'${one}'`)
          .sort()
          .join(' | ')
      case 'literal':
        return def.values.map((one) => (typeof one === 'string' ? `'${one}'` : String(one))).join(' | ')
      case 'union':
        return [...new Set(def.options.map((one, at) => this.typeOf(one, path, at)))].join(' | ')
      case 'array': {
        const item = this.typeOf(def.element, path, alternative)
        return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
      }
      case 'record':
        return `{ [name: string]: ${this.typeOf(def.valueType, path)} }`
      case 'object':
        return this.#interface(schema as z.ZodObject, path, alternative)
      default:
        return def.type
    }
  }

  #interface(schema: z.ZodObject, path: string, alternative: number | undefined): string {
    const name = nameAt(path, alternative)
    const rest = schema.def.catchall
    const isOpen = rest !== undefined && !(rest instanceof z.ZodNever)
    const others = isOpen ? this.typeOf(rest, name) : ''
    const index = isOpen ? `  [name: string]: ${others === 'unknown' ? others : `${others} | null | undefined`}\n` : ''
    const body = `${this.#bodyOf(schema.shape, name)}${index}`
    const known = this.#bodies.get(name)
    if (known !== undefined && known !== body) throw new Error(`${path} needs a name of its own, besides ${name}.`)
    this.#bodies.set(name, body)
    if (known === undefined) this.#meanings.set(name, meaningIn(path, this.#meanings.get(path)))
    return name
  }

  #bodyOf(shape: z.core.$ZodShape, owner: string): string {
    return Object.entries(shape)
      .map(([name, schema]) => this.#member(name, schema, owner))
      .join('')
  }

  #member(name: string, schema: Schema, owner: string): string {
    const meaning = descriptionOf(schema)
    if (meaning === undefined) throw new Error(`${owner}.${name} has no meaning: declare it with field().`)
    const isOptional = schema instanceof z.ZodOptional
    this.#meanings.set(`${owner}.${name}`, meaning)
    const type = this.typeOf(schema, `${owner}.${name}`)
    return member(name, meaning, isOptional && type !== 'unknown' ? `${type} | undefined` : type, isOptional)
  }
}

/** The meaning of an interface. */
function meaningIn(path: string, meaning = ''): string {
  return `In \`${path}\`: ${meaning}`.trim()
}

/** The name of the interface of a field: its own, or `Given` and the field in the singular. */
function nameAt(path: string, alternative = 0): string {
  const own = NAMES[path]
  if (own !== undefined) return [own].flat()[alternative] ?? [own].flat()[0] ?? path
  const field = path.replace(/.*\./, '')
  return `Given${singular(field.charAt(0).toUpperCase() + field.slice(1))}`
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
}

const WIDTH = 120

/** A field of an interface, laid out like all code. */
function member(name: string, meaning: string, type: string, isOptional: boolean): string {
  const declaration = `  ${name}${isOptional ? '?' : ''}:`
  const line = `${declaration} ${type}`
  const laidOut =
    line.length > WIDTH
      ? `${declaration}${type
          .split(' | ')
          .map((one) => `\n    | ${one}`)
          .join('')}`
      : line
  return `  /** ${meaning} */\n${laidOut}\n`
}
