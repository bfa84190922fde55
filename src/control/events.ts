import { type SSEMessage, SSEStreamingApi } from 'hono/streaming'
import type { Answer } from '../http/answer.js'
import type { KitCall } from '../http/routes.js'
import type { JournalEntry } from '../sessions/journal.js'
import type { Sessions } from '../sessions/sessions.js'

/** Events that may wait for a reader. A reader that falls further behind is cut off, and catches up when it reconnects. */
export const BACKLOG = 1000

/**
 * Server-sent events: `request` for each journal entry of the session, with its id, and `scenario` for each switch, with
 * the names. A client that reconnects with `Last-Event-ID` gets what it missed. The stream ends when the client leaves
 * and when the mock is disposed of.
 */
export function streamEvents({ request, session, options: { sessions } }: KitCall): Answer {
  const last = Number(request.headers.get('last-event-id') ?? Number.NaN)
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const stream = new SSEStreamingApi(writable, readable)
  const send = sender(stream)
  // In process there is no connection whose end would be noticed.
  request.signal.addEventListener('abort', () => stream.abort(), { once: true })
  const missed = Number.isInteger(last) ? session.journal.find({ since: last }) : []
  const stop = follow(sessions, session.name, send)
  void endOf(stream, sessions).then(() => {
    stop()
    return stream.close()
  })
  // Readers skip a comment, but it lets the response begin, so the client knows that it is connected.
  void stream.write(': connected\n\n')
  for (const entry of missed) send(requestEvent(entry))
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
  return { status: 200, headers, body: stream.responseReadable }
}

/** Sends what happens in the session of a name, also after it was dropped for being idle and is opened again. */
function follow(sessions: Sessions, name: string, send: (event: SSEMessage) => void): () => void {
  let stops: (() => void)[] = []
  const stopObserving = sessions.observe((session) => {
    if (session.name !== name) return
    // Whatever came before was dropped, and must not be held on to.
    stops = [
      session.journal.onEntry((entry) => send(requestEvent(entry))),
      session.onSwitch((names) => send({ event: 'scenario', data: JSON.stringify({ names }) })),
    ]
  })
  return () => {
    for (const stop of [stopObserving, ...stops]) stop()
  }
}

function requestEvent(entry: JournalEntry): SSEMessage {
  return { event: 'request', id: String(entry.id), data: JSON.stringify(entry) }
}

function sender(stream: SSEStreamingApi): (event: SSEMessage) => void {
  let waiting = 0
  return (event) => {
    if (waiting === BACKLOG) return stream.abort()
    waiting++
    void stream.writeSSE(event).finally(() => {
      waiting--
    })
  }
}

/** Settles when the client has left or the mock is disposed of. */
function endOf(stream: SSEStreamingApi, sessions: Sessions): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = sessions.onDispose(resolve)
    stream.onAbort(() => {
      unsubscribe()
      resolve()
    })
  })
}
