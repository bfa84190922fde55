import type * as z from 'zod'
import type { StrategyType, sentParameterSchema } from './schema.js'

interface Asked {
  name: string
  displayName?: string | null | undefined
  title?: string | null | undefined
  description?: string | null | undefined
  editable?: boolean | undefined
  deprecated?: boolean | undefined
  parameters?: readonly Readonly<z.infer<typeof sentParameterSchema>>[] | undefined
}

/** A type of strategies with what was not said of it filled in. */
export function createStrategyTypeRecord(asked: Asked): StrategyType {
  return {
    name: asked.name,
    displayName: asked.displayName ?? null,
    title: asked.title ?? null,
    description: asked.description ?? null,
    editable: asked.editable ?? true,
    deprecated: asked.deprecated ?? false,
    parameters: (asked.parameters ?? []).map(({ name, type, description = '', required = false }) => ({
      name,
      type,
      description,
      required,
    })),
  }
}
