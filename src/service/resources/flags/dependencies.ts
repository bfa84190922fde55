import * as z from 'zod'
import { field } from '../shared/fields.js'
import { named } from '../shared/schema.js'

/**
 * A parent of a feature. The feature is on only while its parent is on (or off, if `enabled` is false) and, if variants
 * are named, has one of the variants.
 */
export const dependencySchema = named('dependencySchema', () => ({
  feature: field(z.string(), 'The name of the parent.'),
  enabled: field(z.boolean().optional(), 'Whether the parent must be on (the default) or off.'),
  variants: field(z.array(z.string()).optional(), 'The required variants of the parent. Default: any.'),
}))

/** The maximum names of a circle in a message. */
const NAMES_SHOWN = 10

type Dependent = Readonly<{ name: string; dependencies: readonly Readonly<{ feature: string }>[] }>
type FindDependent = (name: string) => Dependent | undefined

/** Features that are their own parents, directly or through others. Visits each feature once, however many are checked. */
export class Circles {
  readonly #visited = new Set<string>()
  readonly #circles = new Map<string, { names: readonly string[]; at: number }>()

  /** The circle of a feature, in words: `a → b → a`. */
  of(feature: Dependent, find: FindDependent): string | undefined {
    if (!this.#visited.has(feature.name)) this.#visit(feature, find)
    const circle = this.#circles.get(feature.name)
    if (circle === undefined) return undefined
    const { names, at } = circle
    const shown = names.slice(0, NAMES_SHOWN).map((_, i) => names[(at + i) % names.length])
    return [...shown, ...(names.length > NAMES_SHOWN ? ['…'] : []), feature.name].join(' → ')
  }

  /** Not recursive, because a chain of parents can exceed the stack. */
  #visit(feature: Dependent, find: FindDependent): void {
    const path: { name: string; parents: Iterator<{ feature: string }> }[] = []
    const places = new Map<string, number>()
    const enter = ({ name, dependencies }: Dependent) => {
      this.#visited.add(name)
      places.set(name, path.length)
      path.push({ name, parents: dependencies.values() })
    }
    enter(feature)
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { done, value } = last.parents.next()
      if (done) {
        path.pop()
        places.delete(last.name)
        continue
      }
      const from = places.get(value.feature)
      if (from !== undefined) this.#note(last.name, () => path.slice(from).map(({ name }) => name))
      else if (!this.#visited.has(value.feature)) {
        const parent = find(value.feature)
        if (parent !== undefined) enter(parent)
      }
    }
  }

  #note(last: string, circle: () => readonly string[]): void {
    if (this.#circles.has(last)) return
    const names = circle()
    for (const [at, name] of names.entries()) if (!this.#circles.has(name)) this.#circles.set(name, { names, at })
  }
}
