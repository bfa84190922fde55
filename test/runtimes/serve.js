// Serves one mock at a time with `mock.fetch`, in any runtime that imports this file. `POST /__driver` creates the mock,
// or calls one of its members.
import { createMock } from '../../dist/index.js'

let mock

export async function serve(request) {
  if (new URL(request.url).pathname !== '/__driver') return mock.fetch(request)
  const { path, args } = await request.json()
  if (path === 'createMock') {
    mock = createMock(...args)
    return new Response(null, { status: 204 })
  }
  const names = path.split('.')
  const owner = names.slice(0, -1).reduce((object, name) => object[name], mock)
  return Response.json({ result: owner[names.at(-1)](...args) })
}
