import type { EvaluationContext } from '../../../evaluation/context.js'
import type { SentContext } from './schema.js'

const FIELDS = ['userId', 'sessionId', 'remoteAddress', 'appName', 'environment', 'currentTime'] as const

/** A property in a URL, such as `properties[plan]`. */
const PROPERTY = /^properties\[(.+)\]$/

/** The context that was sent. Unknown fields become properties. */
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

/** The address of the sender, as reported by a proxy; without one, the local address. */
export function remoteAddressOf(headers: Headers): string {
  return headers.get('x-forwarded-for')?.split(',')[0]?.trim() || '127.0.0.1'
}
