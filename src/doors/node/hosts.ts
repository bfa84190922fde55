import type { IncomingMessage } from 'node:http'
import { MockError } from '../../contract/mock-errors.js'
import { toResponse } from '../../http/answer.js'
import { mockErrorAnswer } from '../../http/mock-answer.js'
import { isLoopbackHost } from '../../http/origins.js'
import { malformed } from './malformed.js'

/**
 * Which hosts a request may name: this machine's, the bound one, and those that are allowed. A page elsewhere that has
 * its name point at this machine would name its own.
 */
export function createHostPolicy(bound: string, allowed: readonly string[]): (header: string | undefined) => boolean {
  const known = new Set([bound.toLowerCase(), ...allowed.map((host) => host.toLowerCase())])
  return (header) => {
    if (header === undefined) return false
    const host = header.toLowerCase()
    const name = host.replace(/:\d+$/, '')
    return known.has(host) || known.has(name) || known.has(name.replace(/^\[|\]$/g, '')) || isLoopbackHost(name)
  }
}

export function rejectHost({ headers: { host } }: IncomingMessage): Response {
  if (host === undefined) return toResponse(mockErrorAnswer(malformed('the header Host is missing')))
  const error = new MockError(
    'HOST_NOT_ALLOWED',
    `Requests for the host "${host}" are not answered here.`,
    `Allow it with --allow-host ${host.replace(/:\d+$/, '')}, or the option allowHosts.`,
  )
  return toResponse(mockErrorAnswer(error))
}
