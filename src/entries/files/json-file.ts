import { readFile } from 'node:fs/promises'
import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { structureFault } from '../../engine/state/state-fault.js'
import type { DataFault } from '../../service/contract/mock-errors.js'
import { reasonOf, systemCode } from '../../support/errors.js'
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
  const given = parse(file, text)
  const fault = structureFault(given)
  if (fault !== undefined) throw new FileError(file, [fault], 'Fix it and try again.')
  return given
}

/** Plain JSON is the faster case. The parser for comments makes a tree: its objects would lose a field `__proto__`, which is told. */
function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    const errors: ParseError[] = []
    const tree = readTree(file, text, errors)
    const [fault] = errors
    if (tree !== undefined && fault === undefined) return getNodeValue(tree)
    throw notWellFormed(file, fault === undefined ? 'a value expected' : describeError(text, fault))
  }
}

function readTree(file: string, text: string, errors: ParseError[]) {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    throw notWellFormed(file, error instanceof RangeError ? 'it is nested too deep' : reasonOf(error))
  }
}

function notWellFormed(file: string, reason: string): FileError {
  return wholeFile(file, `is not well-formed JSON: ${reason}`, 'Fix it and try again.')
}

/** `comma expected (line 3 column 16)` */
function describeError(text: string, { error, offset }: ParseError): string {
  const words = printParseErrorCode(error).replaceAll(/(?<=[a-z])[A-Z]/g, ' $&')
  const before = text.slice(0, offset).split('\n')
  return `${words.toLowerCase()} (line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1})`
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
