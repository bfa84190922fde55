import { readFile } from 'node:fs/promises'
import stripJsonComments from 'strip-json-comments'
import type { DataFault } from '../contract/mock-errors.js'
import { depthFault } from '../state/state-fault.js'
import { reasonOf, systemCode } from '../support/errors.js'
import { findJsonFault } from '../support/json.js'
import { UsageError } from './usage-error.js'

/** A file that can't be used, with every error found in it. */
export class FileError extends UsageError {
  readonly faults: readonly DataFault[]

  constructor(file: string, faults: readonly DataFault[], hint: string) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    super(`${file}: ${faults[0] === undefined ? "can't be used" : describeFault(faults[0])}${more}`, hint)
    this.faults = faults
  }
}

/** `$.features[0].name: must be a string, but is 3` */
export function describeFault({ path, message }: DataFault): string {
  return path === '' ? message : `${path}: ${message}`
}

/** Reads and parses a JSON file, which may contain comments and trailing commas. Throws a `FileError`. */
export async function readJson(file: string): Promise<unknown> {
  const text = decode(file, await read(file))
  if (text.trim() === '') throw wholeFile(file, 'is empty', 'It must hold a JSON object.')
  try {
    return notTooDeep(file, parse(text))
  } catch (error) {
    if (error instanceof FileError) throw error
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
    const where = /\bline \d/.test(reason) ? '' : ` (${place(text)})`
    throw wholeFile(file, `is not well-formed JSON: ${reason}${where}`, 'Fix it and try again.')
  }
}

function notTooDeep(file: string, given: unknown): unknown {
  const deep = depthFault(given)
  if (deep !== undefined) throw new FileError(file, [deep], 'No data of the service is nested so deep.')
  return given
}

/** Plain JSON is the faster case. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return JSON.parse(withoutComments(text)) as unknown
  }
}

/** Comments become spaces, so what follows stays in its place. */
function withoutComments(text: string): string {
  return stripJsonComments(text, { trailingCommas: true })
}

export function wholeFile(file: string, message: string, hint: string): FileError {
  return new FileError(file, [{ path: '', message }], hint)
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  ENOTDIR: 'this is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
}

export function describeSystemError(error: unknown): string {
  return SYSTEM_ERRORS[systemCode(error) ?? ''] ?? reasonOf(error)
}

async function read(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw wholeFile(file, describeSystemError(error), 'Pass the path of a JSON file, relative to the current folder.')
  }
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wholeFile(file, 'is not UTF-8 text', 'Save it in that encoding.')
  }
}

/** The line and the column from which it can't be JSON. */
function place(text: string): string {
  const before = text.slice(0, findJsonFault(withoutComments(text))).split('\n')
  return `line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1}`
}
