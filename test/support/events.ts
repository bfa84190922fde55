import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface ServerSentEvent {
  event?: string | undefined
  id?: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any
}

/** The events of a stream, with parsed JSON data. Ending the loop disconnects. */
export async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent, undefined> {
  const text = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())
  for await (const message of text.pipeThrough(new EventSourceParserStream())) {
    yield { ...message, data: JSON.parse(message.data) }
  }
}
