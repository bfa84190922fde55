/** Headers for a request on a separate connection: workerd can close a kept connection just when a test uses it again. */
export function withOwnConnection(given?: HeadersInit): Headers {
  const headers = new Headers(given)
  headers.set('connection', 'close')
  return headers
}
