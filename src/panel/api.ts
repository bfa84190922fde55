import type { JournalEntry } from '../engine/sessions/journal.js'
import { sleep } from '../support/clock.js'
import { headerText } from '../support/text.js'
import type { Host, PanelView } from './host.js'

/** A failed call, with a hint on how to fix it. */
export class CallError extends Error {
  readonly hint: string

  constructor(message: string, hint = '') {
    super(message)
    this.hint = hint
  }
}

/** Headers that select the session and the world. Empty values override cookies. */
function viewHeaders({ session, world }: PanelView): Record<string, string> {
  return { 'x-mock-session': headerText(session), 'x-mock-scenario': headerText(world) }
}

/** The header by which the journal distinguishes the panel's requests from an app's. */
export const CLIENT_HEADER = 'x-mock-client'

export interface SentRequest {
  method: string
  /** Relative to `/__mock/`. */
  path: string
  /** Text is sent unchanged, everything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  credentials?: RequestCredentials
}

/** Makes a call. Rejects with a `CallError` if it fails or the mock can't be reached. */
export async function call<Answer>(host: Host, view: PanelView, sent: SentRequest): Promise<Answer> {
  return JSON.parse((await callText(host, view, sent)) || 'null')
}

/** Makes a call with a response that isn't JSON. */
export async function callText(host: Host, view: PanelView, sent: SentRequest): Promise<string> {
  const { method, path, body, headers = {}, credentials = 'same-origin' } = sent
  const response = await host
    .send(path, {
      method,
      credentials,
      headers: {
        ...viewHeaders(view),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    .catch(() => {
      throw new CallError("The mock isn't responding.", 'Is it still running? The panel reconnects by itself.')
    })
  const text = await response.text()
  if (response.ok) return text
  throw refusal(response, text)
}

/** The reason for a rejected call, and a hint. */
function refusal(response: Response, text: string): CallError {
  if (!/json/.test(response.headers.get('content-type') ?? '')) {
    return new CallError(`The response was ${response.status}, without a reason.`)
  }
  const { message = `The response was ${response.status}.`, hint = '', details = [] } = JSON.parse(text)
  const said = new Set<string>([message, ...details.map((one: { message?: string }) => one.message ?? '')])
  const why = response.headers.has('x-mock-forced')
    ? 'A rule responded. Remove it under "Rules", or switch to another scenario.'
    : hint
  return new CallError([...said].join(' ').trim(), why)
}

/** Milliseconds before the panel reconnects. */
const RETRY = 1000

/** The maximum milliseconds until a stream begins. */
const PATIENCE = 5000

/** The mock's events. */
export type MockEvent =
  | { name: 'request'; data: JournalEntry }
  | { name: 'scenario'; data: { names: string[] } }
  | { name: 'missed'; data: unknown }

interface StreamHandlers {
  opened(): void
  /** Called if the stream doesn't begin: perhaps a proxy holds it back. */
  held(): void
  event(event: MockEvent): void
  /** Called with the reason, if the mock rejected the stream. */
  lost(refusal: CallError | undefined): void
}

/**
 * Follows a session's server-sent events until the signal aborts, and reconnects after the server was gone. Uses `fetch`,
 * because an EventSource can't send the header that names the session.
 */
export async function followEvents(
  host: Host,
  view: PanelView,
  handlers: StreamHandlers,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const failure = await readStream(host, view, handlers, signal).catch((error: unknown) => error)
    if (signal.aborted) return
    handlers.lost(failure instanceof CallError ? failure : undefined)
    await sleep(RETRY, signal).catch(() => undefined)
  }
}

async function readStream(host: Host, view: PanelView, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  const held = setTimeout(() => handlers.held(), PATIENCE)
  try {
    const response = await host.send('events', { headers: viewHeaders(view), signal })
    if (!response.ok) throw refusal(response, await response.text())
    if (response.body === null) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    let isOpen = false
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      // Each stream begins with a comment.
      if (!isOpen) handlers.opened()
      isOpen = true
      clearTimeout(held)
      const messages = (text + next.value).split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        // The mock sends each field on one line.
        const { event, data = '' } = Object.fromEntries(message.split('\n').map((line) => line.split(/: (.*)/)))
        if (event !== undefined) handlers.event({ name: event, data: JSON.parse(data) } as MockEvent)
      }
    }
  } finally {
    clearTimeout(held)
  }
}

/** Saves a text as a file in the browser. */
export function saveFile(name: string, text: string, type = 'application/json'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
