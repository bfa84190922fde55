import { EventSourceParserStream } from 'eventsource-parser/stream'
import { parse } from 'hono/utils/cookie'
import { sleep } from '../../../support/clock.js'

const NAME = 'mock-scenario'

/** The scenarios named by this browser's QA cookie, or an empty string. */
export function scenarioCookie(): string {
  return parse(document.cookie, NAME)[NAME] ?? ''
}

export function dropScenarioCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${NAME}=; path=/; max-age=0`
}

/** The session that the panel shows, and the scenarios whose data. Empty: the shared session, its active scenarios. */
export interface PanelView {
  session: string
  world: string
}

/** A failed control call, with a hint on how to fix it. */
export class ControlError extends Error {
  readonly hint: string

  constructor(message: string, hint = '') {
    super(message)
    this.hint = hint
  }
}

/** The URL of a control path, relative to the page. */
export function controlUrl(path: string): URL {
  return new URL(path, document.baseURI)
}

/** Headers that choose the session and the world. Empty values keep cookies from choosing. */
export function viewHeaders({ session, world }: PanelView): Record<string, string> {
  return { 'x-mock-session': session, 'x-mock-scenario': world }
}

/** Has the browser save a value as a file of JSON. */
export function saveFile(name: string, value: unknown): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Makes a control call. Rejects with a `ControlError` if the call fails or the server can't be reached. */
export async function call<Answer>(view: PanelView, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(controlUrl(path), {
    method,
    headers: { ...viewHeaders(view), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new ControlError("The server isn't responding.", 'Is it still running? The panel reconnects by itself.')
  })
  const text = await response.text()
  const answer: unknown = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return answer as Answer
  const { message, hint } = answer as { message: string; hint?: string }
  throw new ControlError(message, hint)
}

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
export async function followEvents(view: PanelView, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await readStream(view, handlers, signal).catch(() => undefined)
    if (signal.aborted) return
    handlers.lost()
    await sleep(RETRY, signal).catch(() => undefined)
  }
}

async function readStream(view: PanelView, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
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
