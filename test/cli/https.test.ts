import { X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { type Agent, get, type RequestOptions } from 'node:https'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCertificate } from '../../src/entries/adapters/node/certificate.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { ADMIN } from '../support/adapters.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

const trusting = { rejectUnauthorized: false }

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

function certificateOf(url: string): Promise<PeerCertificate> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ port: Number(port), host: '127.0.0.1', ...trusting }, () => {
      resolve(socket.getPeerCertificate())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

describe('flagdouble --https', () => {
  it('serves HTTPS with a certificate for this machine and the allowed hosts', async () => {
    const { at } = await startCli(['--https', '--allow-host', 'flags.test:8443', '--allow-host', '10.1.2.3'])
    expect(at).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(await ask(`${at}/api/admin/projects`)).toMatchObject({ status: 200 })
    const { subjectaltname, valid_to } = await certificateOf(at)
    for (const name of ['DNS:localhost', 'DNS:flags.test', 'IP Address:127.0.0.1', 'IP Address:10.1.2.3']) {
      expect(subjectaltname).toContain(name)
    }
    expect(Date.parse(valid_to)).toBeGreaterThan(Date.now())
  })

  it('makes a certificate for a server, with names and addresses of both kinds, signed by its own key', async () => {
    const { cert } = await createCertificate(['[2001:db8::7]:8443', '::ffff:10.1.2.3', '10.1.2.3:443', 'flags.test'])
    const certificate = new X509Certificate(cert)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.issuer).toBe(certificate.subject)
    expect([certificate.ca, certificate.keyUsage]).toEqual([false, ['1.3.6.1.5.5.7.3.1']])
    for (const ip of ['127.0.0.1', '::1', '2001:db8::7', '::ffff:10.1.2.3', '10.1.2.3']) {
      expect(certificate.checkIP(ip), ip).toBe(ip)
    }
    expect(certificate.checkHost('flags.test')).toBe('flags.test')
    expect(certificate.subjectAltName).toContain('DNS:*.localhost')
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
    expect([from < Date.now(), (to - from) / 86_400_000]).toEqual([true, 366])
  })

  it('begins links with https, and takes HTTPS pages of this machine for ours', async () => {
    const { at } = await startCli(['--https'])
    const { body } = await ask(`${at}/api/admin/invite-link/tokens/live-invite`)
    expect(JSON.parse(body)).toMatchObject({ url: expect.stringContaining(at) })
  })

  it('makes another certificate at each start', async () => {
    const [one, other] = [await startCli(['--https']), await startCli(['--https'])]
    expect((await certificateOf(one.at)).fingerprint256).not.toBe((await certificateOf(other.at)).fingerprint256)
  })

  it('breaks connections in the scenario offline', async () => {
    const { at } = await startCli(['--https', '--scenario', 'offline'])
    await expect(ask(`${at}/api/admin/projects`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('stops at once while clients only keep connections, and lets open requests finish', async () => {
    const { at, signal, done } = await startCli(['--https', '--latency', '1000'])
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

  it('uses a certificate of your own, which clients can trust', async () => {
    const folder = scratchFolder()
    const { cert, key } = await createCertificate([])
    const files = ['--cert', folder.put('cert.pem', cert), '--cert-key', folder.put('key.pem', key)]
    const { at } = await startCli(files)
    expect(await ask(`${at}/health`, { ca: cert })).toMatchObject({ status: 200 })
  })

  it('rejects files that are missing, no certificate, or do not belong together', async () => {
    const folder = scratchFolder()
    const [one, other] = [await createCertificate([]), await createCertificate([])]
    const cert = folder.put('cert.pem', one.cert)
    const key = folder.put('key.pem', other.key)
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

  it('is set by the environment, too; the banner says what to do about trust', async () => {
    const cli = runCli(['start', '--port', '0'], { env: { FLAGDOUBLE_HTTPS: 'true' } })
    expect(await cli.url()).toMatch(/^https:/)
    expect(cli.stdout()).toContain('--cert FILE --cert-key FILE')
  })

  it('exec makes Node programs trust the certificate besides those they trust already, and leaves no file', async () => {
    const others = scratchFolder().put('others.pem', (await createCertificate([])).cert)
    const temporary = scratchFolder().path
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const script =
      "fetch(process.env.FLAGDOUBLE_URL + '/health').then(({ status }) => process.exit(status === 200 ? 7 : 1))"
    const cli = runCli(['exec', '--https', '--quiet', '--', process.execPath, '-e', script], {
      env: { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: others },
    })
    expect(await cli.done).toBe(7)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('is an option of startServer', async () => {
    await using server = await startServer({}, { port: 0, https: true })
    expect(await ask(`${server.url}/health`)).toMatchObject({ status: 200 })
  })
})
