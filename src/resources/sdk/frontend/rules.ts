import type { EvaluationContext } from '../../../evaluation/context.js'
import type { SentContext } from './schema.js'

const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName', 'environment', 'currentTime'] as const

/** `properties[plan]` in a URL. */
const PROPERTY = /^properties\[(.+)\]$/

/** The context that was sent; what has no field of its own is a property. */
export function contextOf(sent: SentContext, remoteAddress: string): EvaluationContext {
  const context: EvaluationContext = { remoteAddress }
  const properties: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of Object.entries(sent)) {
    const field = FIELDS.find((candidate) => candidate === name)
    if (value === '' || value === null || value === undefined) continue
    if (field !== undefined) context[field] = String(value)
    else if (name === 'properties' && typeof value === 'object') Object.assign(properties, value)
    else properties[PROPERTY.exec(name)?.[1] ?? name] = String(value)
  }
  return { ...context, properties }
}

/** The address that a request comes from, as a proxy names it; this machine's if none does. */
export function remoteAddressOf(headers: Headers): string {
  return headers.get('x-forwarded-for')?.split(',')[0]?.trim() || '127.0.0.1'
}
