import type { OperationId } from '../api/operations.js'
import type { Message } from '../resources/shared/context.js'
import { none } from '../support/freeze.js'
import { hideSent } from './hide.js'
import type { JournalEntry, RawEntry, SentMessage } from './journal.js'
import { type Redacted, redactBody, redactCut } from './redact.js'
import { redactPath } from './redact-path.js'
import { secretsOf } from './secrets.js'

/** An entry as a journal keeps it. Its texts still hold what was sent; only `toEntry` reads them. */
export type KeptEntry = RawEntry & {
  id: number
  /** Secrets that the path held. */
  pathSecrets: readonly string[]
}

/** Characters kept of a body or a path. */
export const BODY_KEPT = 102_400

/** The entry that is kept. It is the given object: a journal has a new one for each request. */
export function keptEntry(entry: RawEntry, id: number): KeptEntry {
  const { path, secrets } = redactPath(entry.path, entry.operation)
  const kept = Object.assign(entry, { id, pathSecrets: secrets })
  kept.path = cut(path)
  kept.requestText = entry.requestText === null ? null : cut(entry.requestText)
  if (entry.sent !== undefined) kept.sent = entry.sent.map((one) => ({ ...one, text: cut(one.text) }))
  kept.responseText = entry.responseText === null ? null : cut(entry.responseText)
  return kept
}

/** The characters that an entry takes. */
export function sizeOf({ path, requestText, responseText, sent = none }: Readonly<KeptEntry>): number {
  let size = path.length + (requestText?.length ?? 0) + (responseText?.length ?? 0)
  for (const { text } of sent) size += text.length
  return size
}

/** The entry as it is shown. Bodies are parsed only when somebody looks: the log, for one, does not. */
export function toEntry(kept: Readonly<KeptEntry>): JournalEntry {
  const { requestText, responseText, pathSecrets, id, time, operation, sent, ...entry } = kept
  return {
    id,
    time: new Date(time).toISOString(),
    operation: operation as OperationId | null,
    ...entry,
    get requestBody() {
      return readRequest(kept).value
    },
    get responseBody() {
      return readResponse(kept)
    },
    ...(sent === undefined ? {} : { sent: sent.map(toSent) }),
  }
}

/** The reverse of `toEntry`. What was redacted stays so. */
export function fromEntry({ time, requestBody, responseBody, sent, ...entry }: JournalEntry): KeptEntry {
  const text = (body: unknown) => (body === null ? null : JSON.stringify(body))
  const texts = { requestText: text(requestBody), responseText: text(responseBody) }
  const messages = sent?.map(({ body, ...message }) => ({ ...message, text: JSON.stringify(body) }))
  const kept = { ...entry, ...texts, time: Date.parse(time), pathSecrets: [] }
  return messages === undefined ? kept : { ...kept, sent: messages }
}

function toSent({ text, ...message }: Message): SentMessage {
  return { ...message, body: redactBody(text, secretsOf(null)).value }
}

function readRequest({ requestText, operation }: Readonly<KeptEntry>): Redacted {
  if (requestText === null || requestText === '') return { value: null, secrets: [], isPartial: false }
  return redactBody(requestText, secretsOf(operation))
}

function readResponse(kept: Readonly<KeptEntry>): unknown {
  const { responseText, operation, status, pathSecrets } = kept
  if (responseText === null || responseText === '') return null
  const own = withoutOwnSecrets(responseText, operation)
  if (status >= 200 && status < 400) return own
  const { secrets, isPartial } = readRequest(kept)
  return hideSent(own, { secrets: [...pathSecrets, ...secrets], isPartial })
}

/** A response without the secrets that it gives out. It is JSON, possibly cut, or a page of fixed text. */
function withoutOwnSecrets(text: string, operation: string | null): unknown {
  const secrets = secretsOf(operation)
  if (text.length > BODY_KEPT) return redactCut(text, secrets)
  return isJson(text) ? redactBody(text, secrets).value : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function cut(text: string): string {
  return text.length > BODY_KEPT ? `${text.slice(0, BODY_KEPT)}…` : text
}
