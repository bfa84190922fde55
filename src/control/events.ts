import type { Answer } from '../http/answer.js'
import type { ControlCall } from '../http/call.js'

/**
 * Server-sent events: `request` for each journal entry of the session, with its id, and `scenario` for each switch, with
 * the names. A client that reconnects with `Last-Event-ID` gets what it missed. The stream ends when the client leaves
 * and when the mock is disposed of.
 */
export function streamEvents({ request, session, options: { sessions } }: ControlCall): Answer {
  const last = Number(request.headers.get('last-event-id') ?? Number.NaN)
  const since = Number.isInteger(last) ? last : undefined
  const { body, cutOff } = sessions.eventReaders.follow(session, request.signal, since)
  return { ...headOfEvents(), body, cutOff }
}

/** What HEAD gets: nobody would read the stream. */
export function headOfEvents(): Answer {
  return { status: 200, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }, body: null }
}
