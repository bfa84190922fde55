import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { createClock } from '../../support/clock.js'
import { createIds } from '../../support/ids.js'
import { bits, bytes, field, implicit, integer, oid, sequence, set, text, time, yes } from './der.js'

/** A certificate and its private key, in PEM. */
export interface Certificate {
  cert: string
  key: string
}

const DAY = 86_400_000
const DAYS_VALID = 365

/**
 * A new certificate for this machine and for the given hosts, signed by itself. Nothing is written to disk. Its key is on
 * an elliptic curve: an RSA key takes a hundred times as long to make.
 */
export function createCertificate(hosts: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const now = createClock().epoch()
  const serial = createIds().hex(16)
  // Clients that trust several find each by its subject.
  const name = sequence(set(sequence(oid('2.5.4.3'), text(`flagdouble ${serial.slice(0, 8)}`))))
  const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
  const content = sequence(
    field(0, integer(Buffer.of(2))), // version 3
    integer(Buffer.from(`01${serial}`, 'hex')),
    ecdsaWithSha256,
    name,
    sequence(time(now - DAY), time(now + DAYS_VALID * DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    field(3, extensionsFor(hosts)),
  )
  const certificate = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, privateKey)))
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** It is a server's, for these names, and no authority. */
function extensionsFor(hosts: readonly string[]): Buffer {
  const basicConstraints = sequence(oid('2.5.29.19'), yes(), bytes(sequence()))
  const digitalSignature = sequence(oid('2.5.29.15'), yes(), bytes(bits(Buffer.of(0x80), 7)))
  const serverAuth = sequence(oid('2.5.29.37'), bytes(sequence(oid('1.3.6.1.5.5.7.3.1'))))
  const names = sequence(oid('2.5.29.17'), bytes(sequence(...namesOf(hosts))))
  return sequence(basicConstraints, digitalSignature, serverAuth, names)
}

/** The types of names in a certificate. */
const DNS = 2
const IP = 7

function namesOf(hosts: readonly string[]): Buffer[] {
  const plain = hosts.map((host) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  const all = new Set(['localhost', '*.localhost', '127.0.0.1', '::1', ...plain])
  return [...all].map((name) =>
    isIP(name) === 0 ? implicit(DNS, Buffer.from(name)) : implicit(IP, bytesOfAddress(name)),
  )
}

function bytesOfAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // A URL has the address in its shortest form, in hexadecimal digits only.
  const short = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
  const groups = groupsOf(short.replace('::', `${':0'.repeat(8 - groupsOf(short).length)}:`))
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
