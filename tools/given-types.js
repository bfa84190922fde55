// The type of given state, as it is published, and what the JSON Schemas say about it. In the sources the type is inferred
// from the zod schemas; written out, it is smaller. Editors show the comments of the schemas' fields, in code and in JSON.
import { join } from 'node:path'
import { API, NodeBuilderFlags, SymbolFlags } from 'typescript/unstable/sync'

/** The declarations of `PartialState` and of all that it consists of. The defaults are those of its JSON Schema. */
export function givenTypes(root, schema) {
  const defaults = defaultsIn(schema)
  return withTypes(root, (checker, typeNamed) => new Declarations(checker, defaults).of(typeNamed(...PARTIAL_STATE)))
}

/** Gives every property of the JSON Schemas the comment of its field, with its default, for a description. */
export function describeSchemas(root, { state, scenario }) {
  withTypes(root, (checker, typeNamed) => {
    new Descriptions(checker, state).describe(state, typeNamed(...PARTIAL_STATE))
    new Descriptions(checker, scenario).describe(scenario, typeNamed('src/scenarios/scenario.ts', 'Scenario'))
  })
}

const PARTIAL_STATE = ['src/state/partial-state.ts', 'PartialState']

function withTypes(root, work) {
  const api = new API({ cwd: root })
  try {
    const snapshot = api.updateSnapshot({ openProject: join(root, 'tools/tsconfig.build.json') })
    const [{ checker, program }] = snapshot.getProjects()
    return work(checker, (file, wanted) => {
      const { statements } = program.getSourceFile(join(root, file))
      return checker.getTypeAtLocation(statements.find((statement) => statement.name?.text === wanted).name)
    })
  } finally {
    api.close()
  }
}

/** What a field is if it is left out, as a sentence after its comment. */
function defaultIn({ default: value }) {
  if (value === undefined) return ''
  if (value === 'now') return ' Default: the start of the world.'
  const isEmpty = value !== null && typeof value === 'object' && Object.keys(value).length === 0
  const isWord = value === null || typeof value === 'number' || typeof value === 'boolean'
  return ` Default: ${isEmpty || value === '' ? 'empty' : isWord ? value : `\`${JSON.stringify(value)}\``}.`
}

/** The same for all fields, by the path that names their types: `GivenFeaturesStale`. */
function defaultsIn({ definitions, ...schema }) {
  const found = new Map()
  const walk = (
    { $ref = '', allOf = [], anyOf = [], oneOf = [], properties = {}, items, additionalProperties },
    path,
  ) => {
    const referred = definitions[/^#\/definitions\/(.*)/.exec($ref)?.[1]]
    const others = [referred, items, additionalProperties].filter((one) => typeof one === 'object')
    for (const part of [...allOf, ...anyOf, ...oneOf, ...others]) walk(part, path)
    for (const [name, inner] of Object.entries(properties)) {
      const at = pathTo(path, name)
      found.set(at, found.get(at) || defaultIn(inner))
      walk(inner, at)
    }
  }
  walk(schema, 'Given')
  return found
}

function pathTo(path, name) {
  return `${path}${name[0].toUpperCase()}${name.slice(1)}`
}

/** Walks along a JSON Schema and the type of what it describes. */
class Descriptions {
  #checker
  #definitions
  #seen = new Set()

  constructor(checker, { definitions }) {
    this.#checker = checker
    this.#definitions = definitions
  }

  describe(schema, type) {
    this.#walk(schema, this.#partsOf(type))
  }

  #walk({ $ref = '', allOf = [], anyOf = [], oneOf = [], properties = {}, items, additionalProperties }, types) {
    const name = /^#\/definitions\/(.*)/.exec($ref)?.[1]
    if (name !== undefined && types.length > 0 && !this.#seen.has(name)) {
      this.#seen.add(name)
      this.#walk(this.#definitions[name], types)
    }
    for (const branch of [...allOf, ...anyOf, ...oneOf]) this.#walk(branch, types)
    for (const [field, inner] of Object.entries(properties)) this.#property(inner, this.#symbolsOf(types, field))
    if (items !== undefined) this.#walk(items, this.#itemsOf(types))
    if (typeof additionalProperties === 'object') this.#walk(additionalProperties, this.#itemsOf(types))
  }

  #property(schema, symbols) {
    const [text] = symbols.map((symbol) => symbol.getDocumentationComment(this.#checker)).filter((one) => one !== '')
    if (text !== undefined) schema.description = text.replaceAll(/\s+/g, ' ') + defaultIn(schema)
    this.#walk(
      schema,
      symbols.flatMap((symbol) => this.#partsOf(this.#checker.getTypeOfSymbol(symbol))),
    )
  }

  #symbolsOf(types, field) {
    return types.flatMap((type) => this.#checker.getPropertiesOfType(type).filter(({ name }) => name === field))
  }

  /** What lists contain, and the objects in their place: fields of the same name mean the same in both. */
  #itemsOf(types) {
    const values = types.flatMap((type) => this.#checker.getIndexInfosOfType(type).map(({ valueType }) => valueType))
    return values.flatMap((value) => this.#partsOf(value))
  }

  #partsOf(type) {
    return (type.isUnionType() ? type.getTypes() : [type]).filter((part) => part.isObjectType())
  }
}

class Declarations {
  #checker
  /** Names of types, by what follows them in their declarations: what occurs twice is declared once. */
  #names = new Map()
  /** The comments of those that have a name in the sources. */
  #comments = new Map()
  #defaults

  constructor(checker, defaults) {
    this.#checker = checker
    this.#defaults = defaults
  }

  of(state) {
    const body = this.#body(this.#checker.getPropertiesOfType(state), 'Given')
    const declared = [...this.#names].map(([text, name]) => {
      const comment = this.#comments.get(name)
      return comment === undefined ? `interface ${name} ${text}` : `${comment}\ntype ${name} ${text}`
    })
    return `${declared.join('\n')}\n${this.#comment(state.getSymbol())}\nexport interface PartialState ${body}\n`
  }

  #comment(symbol, more = '') {
    return `/** ${symbol.getDocumentationComment(this.#checker)}${more} */`
  }

  #written(type, name) {
    const parts = type.isUnionType() ? type.getTypes() : [type]
    if (!parts.some((part) => part.isObjectType())) {
      for (const part of [type, ...parts]) this.#declareAlias(part)
      return this.#text(type)
    }
    const [list, change] = this.#numberedList(parts)
    if (change === undefined) {
      const written = parts.toSorted(objectsFirst).map((part) => this.#part(part, name))
      return written.join(' | ')
    }
    return `${this.#numberedItem(list, change, name)}[] | { [number: string]: ${name}Change | null } | undefined`
  }

  #text(type, flags = 0) {
    return this.#checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation | flags)
  }

  #declareAlias(type) {
    const alias = type.getAliasSymbol()
    if (alias === undefined) return
    this.#names.set(`= ${this.#text(type, NodeBuilderFlags.InTypeAlias)}`, alias.name)
    this.#comments.set(alias.name, this.#comment(alias))
  }

  #part(type, name) {
    if (!type.isObjectType()) return this.#text(type)
    if (this.#checker.isArrayType(type)) {
      const item = this.#written(this.#itemOf(type), name)
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`
    }
    if (isPartial(type)) return `Partial<${this.#written(type.getAliasTypeArguments()[0], name)}>`
    const properties = this.#checker.getPropertiesOfType(type)
    const indexes = this.#checker.getIndexInfosOfType(type).map(({ keyType, valueType }) => {
      return `[key: ${this.#text(keyType)}]: ${this.#written(valueType, name)}`
    })
    return properties.length === 0
      ? `{ ${indexes.join('; ')} }`
      : this.#declared(this.#body(properties, name, indexes), name)
  }

  #itemOf(list) {
    return this.#checker.getTypeArguments(list)[0]
  }

  /** A list in whose place may be an object with numbers for names, and the type of what the object contains. */
  #numberedList(parts) {
    const [list, object, ...others] = parts.filter((part) => part.isObjectType())
    if (object === undefined || others.length > 0) return []
    const [index, other] = this.#checker.getIndexInfosOfType(object)
    return [list, other ? undefined : index?.valueType.getTypes?.()?.find(isPartial)]
  }

  /** An item inherits the fields that a change has too: editors show no comment of fields that are declared twice. */
  #numberedItem(list, change, name) {
    this.#declared(this.#body(this.#checker.getPropertiesOfType(change), name), `${name}Change`)
    const properties = this.#checker.getPropertiesOfType(this.#itemOf(list))
    const required = properties.filter(({ flags }) => (flags & SymbolFlags.Optional) === 0)
    return this.#declared(`extends ${name}Change ${this.#body(required, name)}`, name)
  }

  #body(properties, path, indexes = []) {
    return ['{', ...properties.map((property) => this.#field(property, path)), ...indexes, '}'].join('\n')
  }

  #field(symbol, path) {
    const { name, flags } = symbol
    const at = pathTo(path, name)
    const type = this.#written(this.#checker.getTypeOfSymbol(symbol), at)
    const mark = flags & SymbolFlags.Optional ? '?' : ''
    return `${this.#comment(symbol, this.#defaults.get(at))}\n${name}${mark}: ${type}`
  }

  #declared(text, wanted) {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const taken = new Set(this.#names.values())
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`
    this.#names.set(text, name)
    return name
  }
}

function objectsFirst(one, other) {
  return Number(other.isObjectType()) - Number(one.isObjectType())
}

function isPartial(type) {
  return type.getAliasSymbol()?.name === 'Partial'
}
