import type * as z from 'zod'
import type { StrategyType, sentParameterSchema } from './schema.js'

interface StrategyTypeInput {
  name: string
  displayName?: string | null | undefined
  title?: string | null | undefined
  description?: string | null | undefined
  editable?: boolean | undefined
  deprecated?: boolean | undefined
  parameters?: readonly Readonly<z.infer<typeof sentParameterSchema>>[] | undefined
}

/** A strategy type, with defaults for omitted fields. */
export function createStrategyTypeRecord(input: StrategyTypeInput): StrategyType {
  return {
    name: input.name,
    displayName: input.displayName ?? null,
    title: input.title ?? null,
    description: input.description ?? null,
    editable: input.editable ?? true,
    deprecated: input.deprecated ?? false,
    parameters: (input.parameters ?? []).map(({ name, type, description = '', required = false }) => ({
      name,
      type,
      description,
      required,
    })),
  }
}
