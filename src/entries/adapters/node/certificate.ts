import { generateKeyPair, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { DAY } from '../../../support/calendar.js'
import { createClock } from '../../../support/clock.js'
import { createIds } from '../../../support/ids.js'

/** A certificate and its private key, in PEM. */
export interface Certificate {
  cert: string
  key: string
}

const DAYS_VALID = 365

/** A new certificate for this machine and for the given hosts, signed by itself. Nothing is written to disk. */
export async function createCertificate(hosts: readonly string[]): Promise<Certificate> {
  const { asn1, pki } = (await import('node-forge')).default
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const now = createClock().epoch()
  const serial = createIds().hex(16)
  // Clients that trust several find each by its subject.
  const subject = [{ name: 'commonName', value: `flagdouble ${serial.slice(0, 8)}` }]
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.publicKeyFromPem(publicKey)
  // A number that began with zeros would make OpenSSL reject the certificate.
  certificate.serialNumber = `01${serial}`
  certificate.validity.notBefore = new Date(now - DAY)
  certificate.validity.notAfter = new Date(now + DAYS_VALID * DAY)
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: namesOf(hosts) },
  ])
  // node-forge could sign as well, but takes a hundred times as long as Node.
  const { sha256WithRSAEncryption = '' } = pki.oids
  certificate.signatureOid = certificate.siginfo.algorithmOid = sha256WithRSAEncryption
  certificate.tbsCertificate = pki.getTBSCertificate(certificate)
  const content = Buffer.from(asn1.toDer(certificate.tbsCertificate).getBytes(), 'binary')
  certificate.signature = sign('sha256', content, privateKey).toString('binary')
  return { cert: pki.certificateToPem(certificate), key: privateKey }
}

/** The types of names in a certificate. */
const DNS = 2
const IP = 7

function namesOf(hosts: readonly string[]) {
  const plain = hosts.map((host) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  const all = new Set(['localhost', '*.localhost', '127.0.0.1', '::1', ...plain])
  return [...all].map((name) => (isIP(name) === 0 ? { type: DNS, value: name } : { type: IP, ip: inHexadecimal(name) }))
}

/** An address of IPv6 may end with one of IPv4, which node-forge doesn't read. */
function inHexadecimal(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1) : address
}
