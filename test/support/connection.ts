/** Headers for a request on a connection of its own: workerd may close one that is kept just when it is used again. */
export function withOwnConnection(given?: HeadersInit): Headers {
  const headers = new Headers(given)
  headers.set('connection', 'close')
  return headers
}
