export interface ServerSentEvent {
  event: string
  id?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any
}

/** The events of a stream, their data read as JSON. To stop reading is to hang up. */
export async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent, undefined> {
  let text = ''
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    yield* blocks.flatMap((block) => parseBlock(block) ?? [])
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
  const { event, data, id } = Object.fromEntries(fields) as Record<string, string | undefined>
  if (event === undefined || data === undefined) return undefined
  return { event, ...(id === undefined ? {} : { id }), data: JSON.parse(data) as unknown }
}
