import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { forceRuleSchema, scenarioSchema } from '../../src/index.js'
import { descriptionOf } from '../../src/service/resources/shared/fields.js'
import { root } from '../support/markdown.js'

const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+)\??:/g

/** The comments of the fields in a file, each with the name of its field. */
function commentsIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(COMMENT)].map(([, comment = '', name]) => {
    return `${name}: ${comment.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim()}`
  })
}

/** The meanings of all fields of a shape, at any depth, each with the name of its field. */
function meaningsIn(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodOptional) return meaningsIn(schema.def.innerType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(meaningsIn)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, field]) => [
    `${name}: ${descriptionOf(field)}`,
    ...(name === 'seed' ? [] : meaningsIn(field)),
  ])
}

it.each([
  ['scenario.ts', scenarioSchema],
  ['force-rule.ts', forceRuleSchema],
])('the comments of the interfaces in %s are the meanings of the schema’s fields', (file, schema) => {
  const meanings = meaningsIn(schema).filter((meaning) => !meaning.startsWith('$schema'))
  expect(meanings.length).toBeGreaterThan(10)
  expect(commentsIn(`src/engine/scenarios/${file}`)).toEqual(expect.arrayContaining(meanings))
})
