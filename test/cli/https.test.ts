import { generateKeyPairSync } from 'node:crypto'
import { type Agent, get, type RequestOptions } from 'node:https'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { ADMIN } from '../support/adapters.js'
import { certificate } from '../support/certificate.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

const trusting = { ca: certificate.cert }

/** The flags for the certificate. */
function files(): string[] {
  const { put } = scratchFolder()
  return ['--cert', put('cert.pem', certificate.cert), '--cert-key', put('key.pem', certificate.key)]
}

interface Secured {
  status: number | undefined
  body: string
}

function ask(url: string, options: RequestOptions & { agent?: Agent } = trusting): Promise<Secured> {
  return new Promise((resolve, reject) => {
    const request = get(url, { ...options, headers: { authorization: ADMIN } }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

describe('flagdouble --cert and --cert-key', () => {
  it('serves HTTPS with a certificate that clients can trust', async () => {
    const { at } = await startCli(files())
    expect(at).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(await ask(`${at}/api/admin/projects`)).toMatchObject({ status: 200 })
  })

  it('starts links with https, and trusts local HTTPS pages', async () => {
    const { at } = await startCli(files())
    const { body } = await ask(`${at}/api/admin/invite-link/tokens/live-invite`)
    expect(JSON.parse(body)).toMatchObject({ url: expect.stringContaining(at) })
  })

  it('breaks connections in the scenario offline', async () => {
    const { at } = await startCli([...files(), '--scenario', 'offline'])
    await expect(ask(`${at}/api/admin/projects`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('stops at once while clients only keep connections, and lets open requests finish', async () => {
    const { at, signal, done } = await startCli([...files(), '--latency', '1000'])
    const open = ask(`${at}/api/admin/projects`)
    const idle = connect({ port: Number(new URL(at).port), host: '127.0.0.1', ...trusting })
    idle.on('error', () => undefined)
    await new Promise((resolve) => idle.once('secureConnect', resolve))
    const closed = new Promise((resolve) => idle.once('close', () => resolve('closed')))
    signal('SIGTERM')
    expect(await Promise.race([closed, open])).toBe('closed')
    expect(await open).toMatchObject({ status: 200 })
    expect(await done).toBe(0)
  })

  it("rejects files that are missing, aren't certificates, or don't belong together", async () => {
    const folder = scratchFolder()
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const cert = folder.put('cert.pem', certificate.cert)
    const key = folder.put('key.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    const text = folder.put('text.pem', 'no certificate')
    const fault = async (...args: string[]) => {
      const cli = runCli(['start', '--port', '0', ...args])
      expect(await cli.done).toBe(2)
      expect(cli.stdout()).toBe('')
      return cli.stderr()
    }
    expect(await fault('--cert', cert)).toMatch(/needs its key\.\nhint: Pass both/)
    expect(await fault('--cert-key', key)).toMatch(/needs its key/)
    expect(await fault('--cert', 'nowhere.pem', '--cert-key', key)).toMatch(
      /nowhere\.pem: there is no such file\.\nhint: --cert /,
    )
    expect(await fault('--cert', cert, '--cert-key', key)).toMatch(/are not a certificate and its key: .*\nhint: /)
    expect(await fault('--cert', text, '--cert-key', key)).toMatch(/are not a certificate and its key/)
    const empty = folder.put('empty.pem', '\n')
    expect(await fault('--cert', empty, '--cert-key', key)).toMatch(/empty\.pem: is empty\.\nhint: --cert takes/)
    expect(await fault('--cert', cert, '--cert-key', empty)).toMatch(/empty\.pem: is empty\.\nhint: --cert-key takes/)
    expect(await fault('--cert', empty, '--cert-key', empty)).toMatch(/empty\.pem: is empty/)
  })

  it('is an option of startServer', async () => {
    await expect(startServer({}, { port: 0, https: { cert: 'cert.pem', key: 'key.pem' } })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      hint: expect.stringContaining('two PEM files'),
    })
    await using server = await startServer({}, { port: 0, https: certificate })
    expect(await ask(`${server.url}/health`)).toMatchObject({ status: 200 })
  })
})
