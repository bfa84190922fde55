import { deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { BODY_LIMIT } from '../../../src/service/contract/operation.js'
import { onEveryAdapter } from '../../support/adapters.js'

const clone = '/api/admin/projects/default/features/checkout-redesign/clone'
const update = '/api/admin/invite-link/tokens/live-invite'
const LIMIT = BODY_LIMIT

onEveryAdapter('request bodies', (client) => {
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const { status, body: answer } = await client.send('POST', clone, body, { headers })
    return [status, answer.name]
  }

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/Json ; Charset="utf-8"',
    'application/json; foo=bar',
    'application/json; foo',
  ])('a body of the type %s is accepted', async (type) => {
    expect(await post({ name: 'copy' }, { 'content-type': type })).toEqual([200, 'copy'])
    const updated = await client.send('PUT', update, { enabled: false }, { headers: { 'content-type': type } })
    expect([updated.status, updated.body.enabled]).toEqual([200, false])
  })

  it.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/json-patch+json',
    'application/json, text/plain',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'json',
    '*/*',
    '-',
  ])('a body of the type %s is rejected', async (type) => {
    const headers = { 'content-type': type }
    expect(await post({ name: 'copy' }, headers)).toEqual([415, 'ContentTypeerror'])
    const updated = await client.send('PUT', update, { enabled: false }, { headers })
    expect([updated.status, updated.body.name]).toEqual([415, 'ContentTypeerror'])
    expect(updated.body.message).toContain('application/json')
  })

  it('a request without a body also needs a content type', async () => {
    expect(await post(undefined)).toEqual([415, 'ContentTypeerror'])
    const bytes = new TextEncoder().encode('{"name":"copy"}')
    expect(await post(bytes, { 'content-type': '' })).toEqual([415, 'ContentTypeerror'])
  })

  it('responses are JSON, with any Accept header', async () => {
    expect(await post({ name: 'copy' }, { accept: 'text/html' })).toEqual([200, 'copy'])
  })

  it.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['half an object', '{"name":"copy"'],
    ['a comma too many', '{"name":"copy",}'],
    ['single quotes', "{'name':'copy'}"],
    ['NaN', '{"name":NaN}'],
    ['two values', '{"name":"copy"}{}'],
    ['a control character in a text', '{"name":"co\u0001py"}'],
  ])("a body that isn't JSON is rejected: %s", async (_, text) => {
    expect(await post(text, { 'content-type': 'application/json' })).toEqual([400, 'BadDataError'])
  })

  it("a body that isn't UTF-8 is rejected", async () => {
    const broken = new Uint8Array([...new TextEncoder().encode('{"name":"copy'), 0xff, 0xfe, 0x22, 0x7d])
    expect(await post(broken)).toEqual([400, 'BadDataError'])
    const overlong = new Uint8Array([...new TextEncoder().encode('{"x":"'), 0xc0, 0xaf, 0x22, 0x7d])
    expect(await post(overlong)).toEqual([400, 'BadDataError'])
  })

  it('a body can begin with a byte-order mark', async () => {
    expect(await post('\ufeff{"name":"copy"}')).toEqual([200, 'copy'])
  })

  it('the last value of a repeated property counts', async () => {
    expect(await post('{"name":"first","name":"second"}')).toEqual([200, 'second'])
  })

  it('a deeply nested body is accepted', async () => {
    const deep = 20_000
    const text = `{"name":"copy","x":${'['.repeat(deep)}${']'.repeat(deep)}}`
    expect(await post(text)).toEqual([200, 'copy'])
    expect(client.mock.requests.all()).toHaveLength(1)
  })

  it('a deeply nested body of the wrong shape is rejected', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    expect(await post(deep)).toEqual([400, 'BadDataError'])
    expect(await post(`{"name":${deep}}`)).toEqual([400, 'BadDataError'])
    const patch = `[{"op":"replace","path":"/description","value":${deep}}]`
    const { status } = await client.send('PATCH', '/api/admin/projects/default/features/legacy-export', patch)
    expect(status).toBe(400)
  })

  it.each([
    ['["copy"]', '["copy"]'],
    ['{"name":{"of":"copy"}}', '{"of":"copy"}'],
  ])('the response to a body of the wrong shape quotes it: %s', async (text, quoted) => {
    const { status, body } = await client.send('POST', clone, text)
    expect([status, body.details[0].message]).toEqual([400, expect.stringContaining(quoted)])
  })

  it.each([
    ['as they are', undefined, (bytes: Uint8Array) => bytes],
    ['with gzip', 'gzip', gzipSync],
    ['with deflate', 'deflate', deflateSync],
  ])('a body can have up to 102,400 bytes, sent %s', async (_, encoding, compress) => {
    const headers: Record<string, string> = encoding === undefined ? {} : { 'content-encoding': encoding }
    const exactly = `{"name":"copy"}`.padEnd(LIMIT)
    expect(await post(new Uint8Array(compress(Buffer.from(exactly))), headers)).toEqual([200, 'copy'])
    const over = new Uint8Array(compress(Buffer.from(`${exactly} `)))
    expect(await post(over, headers)).toEqual([413, 'PayloadTooLargeError'])
    const bomb = new Uint8Array(compress(Buffer.alloc(20_000_000, ' ')))
    expect(await post(bomb, headers)).toEqual([413, 'PayloadTooLargeError'])
  })

  it('the size of a body counts in bytes, not characters', async () => {
    const text = `{"name":"copy","x":"${'ü'.repeat(LIMIT / 2)}"}`
    expect(text.length).toBeLessThan(LIMIT)
    expect(await post(text)).toEqual([413, 'PayloadTooLargeError'])
  })

  it.each(['br', 'zstd', 'compress', 'gzip, gzip', 'x'])('a body encoded with %s is rejected', async (encoding) => {
    expect(await post({ name: 'copy' }, { 'content-encoding': encoding })).toEqual([415, 'ContentTypeerror'])
  })

  it('a body with the content encoding identity is accepted', async () => {
    expect(await post({ name: 'copy' }, { 'content-encoding': 'identity' })).toEqual([200, 'copy'])
  })

  it('the position of a JSON syntax error is named, unless the body can contain a password', async () => {
    const shown = async (path: string, body: string) => (await client.send('POST', path, body)).body.message
    expect(await shown(clone, '{"name": swordfish}')).toContain('position 9')
    expect(await shown(clone, '[object Object]')).toContain('send the object as JSON.stringify writes it')
    expect(await shown(clone, '[object]')).toContain('position 1')
    expect(await shown('/auth/simple/login', '{"password": swordfish}')).not.toMatch(/position|swordfish/)
  })

  it.each(['gzip', 'deflate'])('a body that falsely claims the encoding %s is rejected', async (encoding) => {
    expect(await post({ name: 'copy' }, { 'content-encoding': encoding })).toEqual([400, 'BadDataError'])
    const { body } = await client.send('POST', clone, { name: 'copy' }, { headers: { 'content-encoding': encoding } })
    expect(body.message).toContain(`not valid ${encoding}`)
    const cut = gzipSync('{"name":"copy"}').subarray(0, 20)
    expect(await post(new Uint8Array(cut), { 'content-encoding': encoding })).toEqual([400, 'BadDataError'])
  })
})
