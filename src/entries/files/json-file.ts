import { readFileSync, type Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { repeatedKeys, structureFault } from '../../engine/state/state-fault.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import { reasonOf, systemCode } from '../../support/errors.js'
import { show } from '../../support/json.js'
import { nearWholeOf } from '../../support/nearest.js'
import { UsageError } from './usage-error.js'

/** A file that can't be used, with all its errors. */
export class FileError extends UsageError {
  readonly faults: readonly DataFault[]

  constructor(file: string, found: readonly DataFault[], hint: string) {
    const faults = placedIn(file, found)
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
    // A misspelt field is also a missing field, which says less.
    const shown = faults.find(({ message }) => message.includes('Did you mean')) ?? faults[0]
    super(`${shortest(file)}: ${shown === undefined ? "can't be used" : describeFault(shown)}${more}`, hint)
    this.faults = faults
  }
}

/** A path as users know it: relative to the current folder, unless the file is outside of it. */
function shortest(file: string): string {
  const path = isUrl(file) ? file : relative('', file)
  return path.startsWith('..') ? file : path || file
}

/** `$.features["checkout"].enabled (line 12): must be true or false, but is 3` */
export function describeFault({ path, message }: DataFault): string {
  return path === '' ? message : `${path}: ${message}`
}

/** Errors of a file with the names of records and the line numbers, because nobody counts to the fifteenth feature. */
export function placedIn(file: string, faults: readonly DataFault[]): DataFault[] {
  if (!faults.some(({ path }) => path.startsWith('$'))) return [...faults]
  try {
    const text = readFileSync(file, 'utf8')
    const tree = parseTree(text, [], { allowTrailingComma: true })
    return faults.map(({ path, message }) => ({ path: placeIn(text, tree, path), message }))
  } catch {
    return [...faults]
  }
}

/** `$.features[14].project` → `$.features["checkout"].project (line 540)` */
function placeIn(text: string, tree: Node | undefined, path: string): string {
  if (tree === undefined || !path.startsWith('$')) return path
  let node = tree
  let place = '$'
  let left = path.slice(1)
  for (let step = stepInto(node, left); step !== undefined; step = stepInto(node, left)) {
    node = step.node
    place += step.words
    left = left.slice(step.length)
  }
  if (node === tree) return path
  return `${place}${left} (line ${text.slice(0, node.offset).split('\n').length})`
}

/** The first step of a path from a value into it. Names can contain dots, so the longest match wins. */
function stepInto(
  { type, children = [] }: Node,
  path: string,
): { node: Node; words: string; length: number } | undefined {
  const [step = '', position] = /^\[(\d+)\]/.exec(path) ?? []
  if (type === 'array' || step !== '') {
    const item = children[Number(position)]
    // The flags of an object by their names also count by their positions.
    const node = item?.type === 'property' ? item.children?.[1] : item
    return node && { node, words: recordName(node) ?? step, length: step.length }
  }
  const steps = children.flatMap(({ children: [key, node] = [] }) => {
    const words = `.${key?.value}`
    return node && path.startsWith(words) && /^(?:$|[.[])/.test(path.slice(words.length)) ? [{ node, words }] : []
  })
  const [longest] = steps.toSorted((one, other) => other.words.length - one.words.length)
  return longest && { ...longest, length: longest.words.length }
}

function recordName(record: Node): string | undefined {
  const fieldOf = (field: string): unknown => findNodeAtLocation(record, [field])?.value
  const name = [fieldOf('featureName'), fieldOf('name'), fieldOf('id')].find((value) => typeof value === 'string')
  if (name !== undefined) return `[${show(name)}]`
  return typeof fieldOf('id') === 'number' ? `[id ${fieldOf('id')}]` : undefined
}

/** Whether a text is the JSON of an object or a list, and not the name of a file. */
export function isJsonText(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** Reads and parses a JSON file, which can contain comments and trailing commas. Throws a `FileError`. */
export async function readJson(file: string): Promise<unknown> {
  return readJsonText(file, decode(file, await readFileBytes(file)))
}

/** Parses JSON as that of a file. `file` is its name in errors. */
export function readJsonText(file: string, text: string): unknown {
  if (text.trim() === '') throw wholeFile(file, 'is empty', 'It must contain a JSON object.')
  const given = parseJson(file, text)
  const fault = structureFault(given)
  if (fault !== undefined) throw new FileError(file, [fault], 'Fix it and try again.')
  const repeated = repeatedKeys(text).map((message) => ({ path: '', message }))
  if (repeated.length > 0) throw new FileError(file, repeated, 'Only the last one would count: merge them.')
  return given
}

/**
 * Parses a file's text. Plain JSON is the faster case. The parser for comments returns a tree: objects would lose a field `__proto__`, which
 * must be reported.
 */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    const errors: ParseError[] = []
    const tree = readTree(file, text, errors)
    const [fault] = errors
    if (tree !== undefined && fault === undefined) return getNodeValue(tree)
    throw notWellFormed(file, text, fault === undefined ? 'a value expected' : describeError(text, fault))
  }
}

function readTree(file: string, text: string, errors: ParseError[]) {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    throw notWellFormed(file, text, error instanceof RangeError ? 'it is nested too deeply' : reasonOf(error))
  }
}

function notWellFormed(file: string, text: string, reason: string): FileError {
  if (/\.ya?ml$/i.test(file) || YAML.test(text)) {
    const name = /\s/.test(file) ? 'flags.yml' : shortest(file)
    return wholeFile(
      file,
      'is YAML, and only JSON is read',
      `Convert it: npx js-yaml ${name} > ${withoutYaml(name)}.json`,
    )
  }
  const format = OTHER_FORMATS.find(([, name, start]) => name.test(file) || start.test(text))
  if (format !== undefined) return wholeFile(file, `is ${format[0]}, and only JSON is read`, WRITE_JSON)
  const isUnquoted = /[{,]\s*(?:'|[\w$]+\s*:)/.test(text)
  const hint = isUnquoted ? 'Write names and texts in double quotes, as JSON requires.' : 'Fix it and try again.'
  return wholeFile(file, `is not well-formed JSON: ${reason}`, hint)
}

/** Formats that are mistaken for JSON: the ends of their files' names, and their starts. */
const OTHER_FORMATS: readonly (readonly [format: string, name: RegExp, start: RegExp])[] = [
  ['TOML', /\.toml$/i, /^[ \t]*\[+[\w."-]+\]+[ \t]*$/m],
  ['CSV', /\.[ct]sv$/i, /^\w+(?:[,;\t]\w+)+\s*\n/],
  ['a module of JavaScript', /\.[cm]?[jt]sx?$/i, /^[ \t]*(?:export |import |module\.exports)/m],
  ['a page or XML', /\.(?:x|ht)ml?$/i, /^\s*</],
]

const WRITE_JSON = 'Write a .json file such as { "features": [{ "name": "new-checkout", "enabled": true }] }.'

/** The start of a file in YAML, after comments: `---`, `features:` or `- name: x`. */
const YAML = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*(?:---\s|(?:- )?[\w-]+:(?:\s|$))/

function withoutYaml(name: string): string {
  return name.replace(/\.ya?ml$/i, '')
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
  ENOSPC: 'there is no space left',
  EROFS: 'the file system is read-only',
}

export function describeSystemError(error: unknown): string {
  return SYSTEM_ERRORS[systemCode(error) ?? ''] ?? reasonOf(error)
}

/** Throws a `FileError` for a folder, and for endless files: a pipe, a device. */
export function assertFile(file: string, found: Stats): void {
  if (found.isFile()) return
  const reason = found.isDirectory() ? 'this is a folder, not a file' : 'this is a pipe or a device, not a file'
  throw wholeFile(file, reason, 'Pass the path of a file.')
}

/** The bytes of a file. Throws a `FileError`. */
export async function readFileBytes(file: string): Promise<Uint8Array> {
  try {
    assertFile(file, await stat(file))
    return await readFile(file)
  } catch (error) {
    if (error instanceof FileError) throw error
    throw wholeFile(file, describeSystemError(error), await hintForPath(file))
  }
}

async function hintForPath(file: string): Promise<string> {
  if (file === '-') return 'Only start and exec read standard input: save it as a file.'
  if (isUrl(file))
    return 'URLs are not read: save it with `curl -o FILE URL`, or read a running Unleash with `flagdouble pull`.'
  if (/^['"]/.test(file)) return 'Remove the quotes around the value.'
  const several = file.includes(',') ? ' For several files, repeat the option.' : ''
  const names = await readdir(dirname(file)).catch(() => [])
  return `Pass the path of a JSON file, relative to the current folder.${several || nearFile(basename(file), names)}`
}

/** ` Did you mean "flags.json"?` The ends of names are alike anyway, so they don't count. */
function nearFile(name: string, names: readonly string[]): string {
  const stemOf = (file: string) => file.replace(/\.\w+$/, '')
  const near = nearWholeOf(stemOf(name), names.map(stemOf))
  const found = names.find((one) => stemOf(one) === near)
  return found === undefined ? '' : ` Did you mean "${found}"?`
}

function isUrl(file: string): boolean {
  return /^https?:\/\//.test(file)
}

/** The text of a file. Throws a `FileError`. */
export function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b)
      throw wholeFile(file, 'is compressed', `Unpack it: gunzip ${shortest(file)}`)
    const isUtf16 = [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ].some((mark) => mark.every((byte, at) => bytes[at] === byte))
    if (!isUtf16) throw wholeFile(file, 'is not UTF-8 text', 'Save it in that encoding.')
    const hint = 'Save it as UTF-8. In PowerShell, write it with `| Out-File -Encoding utf8 FILE` in place of `> FILE`.'
    throw wholeFile(file, 'is UTF-16 text, but must be UTF-8', hint)
  }
}
