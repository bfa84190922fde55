import type { Tables } from '../../shared/context.js'

/** The names of the active features that depend on this one, apart from those given. */
export function activeChildren(tables: Tables, parent: string, except: readonly string[] = []): string[] {
  return tables.features
    .by('parent', parent)
    .filter(({ name, archived }) => !archived && !except.includes(name))
    .map(({ name }) => name)
}
