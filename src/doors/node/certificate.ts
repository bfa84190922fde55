import { generateKeyPair } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { createClock } from '../../support/clock.js'
import { createIds } from '../../support/ids.js'

/** A certificate and its private key, in PEM. */
export interface Certificate {
  cert: string
  key: string
}

const DAY = 86_400_000
const DAYS_VALID = 365

/** A new certificate for this machine and for the given hosts, signed by itself. Nothing is written to disk. */
export async function createCertificate(hosts: readonly string[]): Promise<Certificate> {
  const { md, pki } = (await import('node-forge')).default
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
  // The leading zeros make the number positive.
  certificate.serialNumber = `00${serial}`
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
  certificate.sign(pki.privateKeyFromPem(privateKey), md.sha256.create())
  return { cert: pki.certificateToPem(certificate), key: privateKey }
}

/** The types of names in a certificate. */
const DNS = 2
const IP = 7

function namesOf(hosts: readonly string[]) {
  const plain = hosts.map((host) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  const all = new Set(['localhost', '*.localhost', '127.0.0.1', '::1', ...plain])
  return [...all].map((name) => (isIP(name) === 0 ? { type: DNS, value: name } : { type: IP, ip: name }))
}
