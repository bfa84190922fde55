// The tables of docs/profiles.md: how the profiles differ, described by the comments in src/service/contract/profile.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorRow } from '../src/service/contract/errors.js'
import { documented } from '../src/service/contract/profile-documented.js'
import { unleash8 } from '../src/service/contract/profile-unleash-8.js'
import { table } from './table.js'

/** Fields that the page shows elsewhere, or that are not settings. */
const ELSEWHERE = new Set(['name', 'responds', 'checks', 'errors', 'clone.checks'])

/** The tables of docs/profiles.md by name. */
export function profileTables(root: string): Record<string, string> {
  const words = wordsOf(readFileSync(join(root, 'src/service/contract/profile.ts'), 'utf8'))
  return {
    errors: table(['reason', '`documented`', '`unleash-8`'], errorRows()),
    order: table(['profile', 'every request', 'then, for a clone whose source was found'], orderRows()),
    settings: table(['setting', 'meaning', '`documented`', '`unleash-8`'], settingRows(words)),
  }
}

/** The comment of each setting, such as `clone.acrossProjects`. Throws for a setting without one. */
function wordsOf(source: string): Map<string, string> {
  const words = new Map<string, string>()
  const groups: string[] = []
  let comment: string | undefined
  const settings = source.slice(source.indexOf('export interface Profile {'))
  for (const [, indent = '', said, name = '', rest = ''] of settings.matchAll(
    /^( +)(?:\/\*\* (.+) \*\/|(\w+)\??([:(].*))$/gm,
  )) {
    if (said === undefined) {
      groups.length = indent.length / 2 - 1
      groups.push(name)
      const path = groups.join('.')
      const needsWords = !rest.endsWith('{') && !ELSEWHERE.has(path) && !path.startsWith('errors.')
      if (comment === undefined && needsWords) throw new Error(`Profile.${path} has no comment.`)
      words.set(path, comment ?? '')
    }
    comment = said
  }
  return words
}

function errorRows(): string[][] {
  const theirs = new Map(Object.entries(unleash8.errors.table))
  return Object.entries(documented.errors.table)
    .map(([kind, row]) => [words(kind), describeError(row), describeError(theirs.get(kind) ?? row)])
    .filter(([, ours, other]) => ours !== other)
}

/** Reasons whose identifiers need more words. */
const REASONS: Readonly<Record<string, string>> = {
  authenticationRequired: 'no API token or login',
  inUse: 'a record in use',
  internal: 'an internal error',
  noAccess: 'a missing permission',
  noPassword: 'no password given',
  sdkTokenRequired: "an operation for SDKs, with another API token than an SDK's",
  unknownCredentials: 'an unknown API token',
  unknownToken: 'an API token to change that does not exist',
  unsigned: "a request to Edge's paths without a signature",
  unusableLink: 'a password link that is unknown or has expired',
  unusableToken: 'a signup token that is unknown or has expired',
  wrongTokenKind: "an SDK's API token on an admin path, or the reverse",
}

/** `payloadTooLarge` → `payload too large` */
function words(name: string): string {
  return REASONS[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

export function describeError({ status, name, shape, extra }: ErrorRow): string {
  if (shape === 'empty') return `${status}, no body`
  if (shape === 'message' || shape === 'error') return `${status}, only \`${shape}\``
  if (shape === 'summary') return `${status} \`${name}\`, all errors in one detail`
  const fields = Object.keys(extra ?? {}).map((field) => `\`${field}\``)
  return `${status} \`${name}\`${fields.length === 0 ? '' : `, and ${fields.join(', ')}`}`
}

function orderRows(): string[][] {
  const inOrder = (steps: readonly string[]) => steps.map(words).join(', ')
  return [documented, unleash8].map(({ name, checks, clone }) => [
    `\`${name}\``,
    inOrder(checks),
    inOrder(clone.checks),
  ])
}

function settingRows(words: ReadonlyMap<string, string>): string[][] {
  const [ours, theirs] = [leavesOf(documented), leavesOf(unleash8)]
  const paths = [...words.keys()].filter((path) => ours.has(path) || theirs.has(path))
  return paths
    .map((path) => [`\`${path}\``, words.get(path) ?? '', show(ours.get(path)), show(theirs.get(path))])
    .filter(([, , one, other]) => one !== other)
}

function leavesOf(value: object, path = ''): Map<string, unknown> {
  const leaves = Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const at = path === '' ? name : `${path}.${name}`
    if (ELSEWHERE.has(at)) return []
    const isGroup = inner?.constructor === Object && at !== 'body.formats'
    return isGroup ? [...leavesOf(inner as object, at)] : [[at, inner] as const]
  })
  return new Map(leaves)
}

function show(value: unknown): string {
  if (value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value instanceof RegExp) return `\`${value.source}\``
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((item) => `\`${item.secret ?? item}\``).join(', ')
  if (typeof value === 'object' && value !== null) return show(Object.keys(value))
  return `\`${value}\``
}
