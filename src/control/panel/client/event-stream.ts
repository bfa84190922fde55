import { sleep } from '../../../support/clock.js'
import { controlUrl, type View, viewHeaders } from './api.js'

/** Milliseconds before the panel tries again to connect. */
const RETRY = 1000

export interface StreamHandlers {
  opened(): void
  event(name: string, data: unknown): void
  lost(): void
}

/**
 * Follows the server-sent events of a session until the signal is given; connects again when the server was gone.
 * By fetch, since an EventSource can't name the session in a header.
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
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const blocks = (text + chunk.value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) deliver(block, handlers)
  }
}

function deliver(block: string, handlers: StreamHandlers): void {
  const name = /^event: (.*)$/m.exec(block)?.[1]
  const data = /^data: (.*)$/m.exec(block)?.[1]
  if (name !== undefined && data !== undefined) handlers.event(name, JSON.parse(data))
}
