/** Who asks for a flag, and where: what constraints and stickiness look at. */
export interface EvaluationContext {
  userId?: string
  sessionId?: string
  remoteAddress?: string
  appName?: string
  environment?: string
  /** An ISO date-time; the world's clock if not given. */
  currentTime?: string
  /** Everything that has no field of its own. */
  properties?: Readonly<Record<string, string>>
}

/** A field of the context by its name: one of its own, else one of its properties. */
export function contextValue(context: EvaluationContext, field: string): string | undefined {
  const own = Object.hasOwn(context, field) ? (context as Readonly<Record<string, unknown>>)[field] : undefined
  if (own !== undefined && own !== null && field !== 'properties') return String(own)
  const { properties = {} } = context
  const value: unknown = Object.hasOwn(properties, field) ? properties[field] : undefined
  return value === undefined || value === null ? undefined : String(value)
}
