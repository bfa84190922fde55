import { type SSEMessage, type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { type AppContext, type AppOptions, nameScenario, sessionOf } from '../http/context.js'
import type { JournalEntry } from '../sessions/journal.js'
import type { Sessions } from '../sessions/sessions.js'

/** Events that wait for a reader; one who is further behind is cut off, and catches up when they connect again. */
const BACKLOG = 1000

/**
 * Server-sent events: `request` for each journal entry of the session, with its id, and `scenario` for each switch,
 * with the names. Who connects again with `Last-Event-ID` is sent what they missed. The stream ends when the client
 * goes and when the mock is disposed of; a door that closes cuts it.
 */
export function streamEvents(c: AppContext, { sessions }: Pick<AppOptions, 'sessions'>): Response {
  const session = sessionOf(c, { sessions })
  const last = Number(c.req.header('last-event-id') ?? Number.NaN)
  nameScenario(c, { sessions })
  return streamSSE(c, async (stream) => {
    const send = sender(stream)
    // In process there is no connection whose end would be noticed.
    c.req.raw.signal.addEventListener('abort', () => stream.abort(), { once: true })
    const ended = endOf(stream, sessions)
    const missed = Number.isInteger(last) ? session.journal.find({ since: last }) : []
    const stop = follow(sessions, session.name, send)
    // A comment, which readers skip, lets the answer begin, so that the client knows that it is connected.
    void stream.write(': connected\n\n')
    for (const entry of missed) send(requestEvent(entry))
    await ended
    stop()
  })
}

/** Sends what happens in the session of a name, also after it was dropped for being idle and is made again. */
function follow(sessions: Sessions, name: string, send: (event: SSEMessage) => void): () => void {
  const stops: (() => void)[] = []
  const stopObserving = sessions.observe((session) => {
    if (session.name !== name) return
    stops.push(session.journal.onEntry((entry) => send(requestEvent(entry))))
    stops.push(session.onSwitch((names) => send({ event: 'scenario', data: JSON.stringify({ names }) })))
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

/** Settled when the client is gone or the mock is disposed of. */
function endOf(stream: SSEStreamingApi, sessions: Sessions): Promise<void> {
  return new Promise((resolve) => {
    const forget = sessions.onDispose(resolve)
    stream.onAbort(() => {
      forget()
      resolve()
    })
  })
}
