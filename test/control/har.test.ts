import { expect, it } from 'vitest'
import * as z from 'zod'
import { ADMIN, onEveryAdapter } from '../support/adapters.js'

/** HAR 1.2, as http://www.softwareishard.com/blog/har-12-spec/ has it. */
const pair = z.object({ name: z.string(), value: z.string() })
const sizes = { headersSize: z.int().min(-1), bodySize: z.int().min(-1) }
const uri = z.string().refine((url) => URL.canParse(url) && /^[\w\-.~!$&'()*+,;=:@/?%]+$/.test(url))
const milliseconds = z.number().min(0)
const message = { httpVersion: z.string(), cookies: z.array(z.unknown()), headers: z.array(pair), ...sizes }
const har = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.object({
        startedDateTime: z.iso.datetime(),
        time: milliseconds,
        request: z.object({
          method: z.string(),
          url: uri,
          queryString: z.array(pair),
          postData: z.object({ mimeType: z.string(), text: z.string() }).optional(),
          ...message,
        }),
        response: z.object({
          status: z.int(),
          statusText: z.string(),
          redirectURL: z.string(),
          content: z.object({ size: z.int(), mimeType: z.string(), text: z.string().optional() }),
          ...message,
        }),
        cache: z.object({}),
        timings: z.object({ send: milliseconds, wait: milliseconds, receive: milliseconds }),
      }),
    ),
  }),
})

onEveryAdapter('the journal as an HTTP Archive', (client) => {
  it('all requests can be downloaded as HAR 1.2, with their headers and bodies', async () => {
    const features = '/api/admin/projects/default/features'
    await client.send('POST', features, { name: 'larger', description: 'größer' })
    await client.send('GET', '/api/admin/projects?password=abcdefghi&x=a|b%20c&y=%zz')
    await client.send('PATCH', '/api/admin/projects')
    const { status, headers, body } = await client.send('GET', '/__mock/requests?format=har')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toBe('attachment; filename="flagdouble.har"')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const { entries } = har.parse(body).log
    expect(entries.map(({ request }) => request.method)).toEqual(['POST', 'GET', 'PATCH'])
    const [created, read] = entries
    expect(created?.request.url).toMatch(new RegExp(`^https?://[^/]+${features}$`))
    expect(JSON.parse(created?.request.postData?.text ?? '')).toEqual({ name: 'larger', description: 'größer' })
    expect(created?.request.headers).toContainEqual({ name: 'authorization', value: ADMIN })
    expect(created?.response.status).toBe(201)
    const { size, text = '' } = created?.response.content ?? {}
    expect(size).toBe(Buffer.byteLength(text))
    expect(JSON.parse(text)).toMatchObject({ description: 'größer' })
    expect(read?.request.queryString).toContainEqual({ name: 'password', value: '[redacted]' })
    expect(JSON.stringify(body)).not.toContain('abcdefghi')
  })

  it('the archive has what the filters find, and a request without an answer the status 0', async () => {
    client.mock.force({ operation: 'getProjects', fault: 'reset' })
    await client.send('GET', '/health')
    await client.adapter.fetch('/api/admin/projects', { headers: { authorization: 'x' } }).catch(() => undefined)
    const { body } = await client.send('GET', '/__mock/requests?format=har&operation=getProjects')
    expect(har.parse(body).log.entries.map(({ response }) => response.status)).toEqual([0])
    expect((await client.send('GET', '/__mock/requests?format=xml')).body.message).toBe('There is no format "xml".')
    expect((await client.send('GET', '/__mock/requests?format=json')).body).toHaveLength(2)
  })
})
