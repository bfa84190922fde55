// The descriptions in the JSON Schemas: the comments of the interfaces for the same data in code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const SOURCES = [
  'src/engine/state/partial-state.ts',
  'src/engine/state/types',
  'src/engine/scenarios/scenario.ts',
  'src/engine/scenarios/force-rule.ts',
]

/** Gives every property of the JSON Schemas the comment of its field as its description. */
export function describeSchemas(root, { state, scenario }) {
  const interfaces = interfacesIn(root)
  describe(state, ['PartialState'], interfaces, state.definitions)
  describe(scenario, ['Scenario'], interfaces, scenario.definitions)
}

/** The fields of all interfaces, each with its comment and the type names in its declaration. */
function interfacesIn(root) {
  const files = SOURCES.map((path) => join(root, path)).flatMap((path) =>
    path.endsWith('.ts') ? [path] : readdirSync(path).map((name) => join(path, name)),
  )
  const found = new Map()
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    for (const node of parseAst(text, { lang: 'ts' }, file).body) {
      const { type, id, body, extends: parents = [] } = node.declaration ?? node
      if (type !== 'TSInterfaceDeclaration' && type !== 'TSTypeAliasDeclaration') continue
      const fields = new Map()
      let from = node.start
      for (const member of body?.body ?? []) {
        const comment = /\/\*\*(.*?)\*\/\s*$/s.exec(text.slice(from, member.start))?.[1] ?? ''
        if (member.type === 'TSPropertySignature') {
          const description = comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim()
          fields.set(member.key.name, { description, types: typesIn(member.typeAnnotation) })
        }
        from = member.end
      }
      const others = body === undefined ? typesIn(node.declaration?.typeAnnotation ?? node.typeAnnotation) : []
      found.set(id.name, { fields, parents: [...parents.map(({ expression }) => expression.name), ...others] })
    }
  }
  return found
}

function typesIn(node) {
  if (node === null || typeof node !== 'object') return []
  const own = node.type === 'TSTypeReference' ? [node.typeName.name] : []
  return [...own, ...Object.values(node).flatMap(typesIn)]
}

function describe(schema, types, interfaces, definitions, seen = new Set()) {
  const { $ref = '', allOf = [], anyOf = [], oneOf = [], properties = {}, items, additionalProperties } = schema
  const below = (inner, names) => typeof inner === 'object' && describe(inner, names, interfaces, definitions, seen)
  const name = /^#\/definitions\/(.*)/.exec($ref)?.[1]
  if (name !== undefined && !seen.has(name)) {
    seen.add(name)
    below(definitions[name], types)
  }
  for (const part of [...allOf, ...anyOf, ...oneOf, items, additionalProperties]) below(part, types)
  for (const [field, inner] of Object.entries(properties)) {
    const found = types.flatMap((type) => fieldsOf(type, field, interfaces))
    const { description } = found.find((one) => one.description !== '') ?? {}
    if (description !== undefined) inner.description = description
    below(
      inner,
      found.flatMap((one) => one.types),
    )
  }
}

/** The declarations of a field in an interface and in its parents. */
function fieldsOf(type, field, interfaces) {
  const { fields, parents = [] } = interfaces.get(type) ?? {}
  const own = fields?.get(field)
  return own === undefined ? parents.flatMap((parent) => fieldsOf(parent, field, interfaces)) : [own]
}
