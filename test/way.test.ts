import { Session } from 'node:inspector'
import { describe, expect, it } from 'vitest'
import { createMock } from '../src/index.js'

interface Script {
  scriptId: string
  url: string
  functions: { ranges: { count: number; startOffset: number; endOffset: number }[] }[]
}

const inspector = new Session()
inspector.connect()

/** V8 replies before `post` returns. */
function ask(method: string, params: object = {}): { result: Script[]; scriptSource: string } {
  let reply = { result: [] as Script[], scriptSource: '' }
  inspector.post(method, params, (_, result) => {
    if (result !== undefined) reply = { ...reply, ...result }
  })
  return reply
}

/** Vite exports each name by a function, which the source lacks. */
const EXPORTS = /__vite_ssr_exportName__\("\w+", $/

/** The files of src/ and scenarios/ in which a request calls functions. */
async function wayOf(run: () => Promise<Response>): Promise<{ files: string[]; status: number }> {
  ask('Debugger.enable')
  ask('Profiler.enable')
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  ask('Profiler.takePreciseCoverage')
  const { status } = await run()
  const { result } = ask('Profiler.takePreciseCoverage')
  ask('Profiler.stopPreciseCoverage')
  const called = result.flatMap(({ scriptId, url, functions }) => {
    const [, file] = /\/(src\/.*|scenarios\/.*)$/.exec(url) ?? []
    if (file === undefined) return []
    const { scriptSource } = ask('Debugger.getScriptSource', { scriptId })
    return functions.flatMap(({ ranges: [range] }) => {
      // The whole file counts as a function that starts at 0.
      if (range === undefined || range.count === 0 || range.startOffset === 0) return []
      const before = scriptSource.slice(0, range.startOffset)
      return EXPORTS.test(before) ? [] : [file]
    })
  })
  ask('Debugger.disable')
  return { status, files: [...new Set(called)] }
}

const JSON_BODY = { authorization: '*:*.mock-admin', 'content-type': 'application/json' }

type Send = (method: string, path: string, body: object) => Promise<Response>

/** Sends requests to a separate mock, so that the cases can run in any order. */
function sender(): Send {
  const mock = createMock({ seed: 'way', now: '2026-11-20T12:00:00.000Z' })
  return (method, path, body) =>
    mock.fetch(new Request(`http://localhost${path}`, { method, headers: JSON_BODY, body: JSON.stringify(body) }))
}

let copies = 0
const clone = (send: Send) =>
  send('POST', '/api/admin/projects/default/features/checkout-redesign/clone', { name: `copy-${++copies}` })
const invite = (send: Send) => send('PUT', '/api/admin/invite-link/tokens/live-invite', { enabled: true })
const change = (send: Send) => send('PUT', '/__mock/scenario', { name: 'expired-token' })

// The limits have room for two more files: a line in the right file must not fail the test, a detour must.
describe('the path of a warm request', () => {
  it.each([
    { of: 'a clone', run: clone, status: 200, files: 53 },
    { of: 'an update of a signup token', run: invite, status: 200, files: 45 },
    { of: 'a switch of scenario', run: change, status: 200, files: 37 },
  ])('$of calls functions in at most $files files', async ({ run, status, files }) => {
    const send = sender()
    for (let i = 0; i < 3; i += 1) await run(send)
    const way = await wayOf(() => run(send))
    expect(way.status).toBe(status)
    expect(way.files.length, way.files.join('\n')).toBeLessThanOrEqual(files)
  })
})
