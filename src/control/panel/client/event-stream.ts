import { EventSourceParserStream } from 'eventsource-parser/stream'
import { sleep } from '../../../support/clock.js'
import { controlUrl, type View, viewHeaders } from './api.js'

/** Milliseconds before the panel reconnects. */
const RETRY = 1000

interface StreamHandlers {
  opened(): void
  event(name: string, data: unknown): void
  lost(): void
}

/**
 * Follows a session's server-sent events until the signal aborts, and reconnects when the server was gone.
 * Uses `fetch` because an EventSource can't send the header that names the session.
 */
export async function followEvents(view: View, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await readStream(view, handlers, signal).catch(() => undefined)
    if (signal.aborted) return
    handlers.lost()
    await sleep(RETRY, signal).catch(() => undefined)
  }
}

async function readStream(view: View, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  const response = await fetch(controlUrl('events'), { headers: viewHeaders(view), signal })
  if (!response.ok || response.body === null) return
  handlers.opened()
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  const reader = events.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { event, data } = next.value
    if (event !== undefined) handlers.event(event, JSON.parse(data))
  }
}
