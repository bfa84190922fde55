/** The context of an evaluation: the values that constraints and stickiness refer to. */
export interface EvaluationContext {
  userId?: string
  sessionId?: string
  remoteAddress?: string
  appName?: string
  environment?: string
  /** An ISO date-time. Default: the time of the world's clock. */
  currentTime?: string
  /** All other fields. */
  properties?: Readonly<Record<string, string>>
}

/** The value of a field of the context, or of a property with that name. */
export function contextValue(context: EvaluationContext, field: string): string | undefined {
  const own = Object.hasOwn(context, field) ? (context as Readonly<Record<string, unknown>>)[field] : undefined
  if (own !== undefined && own !== null && field !== 'properties') return String(own)
  const { properties = {} } = context
  const value: unknown = Object.hasOwn(properties, field) ? properties[field] : undefined
  return value === undefined || value === null ? undefined : String(value)
}
